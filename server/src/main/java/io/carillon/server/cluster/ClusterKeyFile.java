package io.carillon.server.cluster;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.server.config.KeyLines;
import io.carillon.server.start.StartException;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The key of a cluster, and while it is changed another one: lines of 64 hexadecimal digits or
 * more. With the first all is made, with both all is read. From it follow the keys of tokens, of
 * the links between nodes and routers, and of the grid; none of them tells another.
 *
 * <p>Immutable; any thread.
 */
public final class ClusterKeyFile {
    private static final int MOST = 2;

    private final List<byte[]> keys;

    private ClusterKeyFile(List<byte[]> keys) {
        this.keys = keys;
    }

    /**
     * Reads it.
     *
     * @throws StartException naming the file and what has to be in it
     */
    public static ClusterKeyFile read(Path file) throws StartException {
        List<byte[]> keys = new ArrayList<>();
        try {
            for (String key : KeyLines.read(file)) {
                keys.add(HexFormat.of().parseHex(key));
            }
        } catch (IOException e) {
            throw new StartException(
                    "cluster.key-file: "
                            + file
                            + " cannot be read; make one with: openssl rand -hex 32 > "
                            + file,
                    e);
        } catch (IllegalArgumentException e) {
            throw new StartException(
                    "cluster.key-file: a line of "
                            + file
                            + " is no key; a key is 64 hexadecimal digits or more, as openssl rand"
                            + " -hex 32 prints them",
                    e);
        }
        if (keys.isEmpty() || keys.size() > MOST) {
            throw new StartException(
                    "cluster.key-file: "
                            + file
                            + " has to hold one key, or two while the key is changed, not "
                            + keys.size());
        }
        for (byte[] key : keys) {
            if (key.length < LinkSecret.LEAST_BYTES) {
                throw new StartException(
                        "cluster.key-file: a key in "
                                + file
                                + " is shorter than 64 hexadecimal digits");
            }
        }
        return new ClusterKeyFile(keys);
    }

    /** For the grid. */
    List<byte[]> secrets() {
        return keys.stream().map(byte[]::clone).toList();
    }

    /**
     * For the links between nodes and routers. Another cluster has others, also with the same file.
     *
     * @param cluster its name
     */
    public List<LinkSecret> links(String cluster) {
        return keys.stream().map(key -> LinkSecret.of(key).of(cluster)).toList();
    }

    /**
     * For tags, branches and routes.
     *
     * @param cluster its name
     */
    public ClusterKeys tokens(String cluster) {
        return LinkSecret.tokenKeys(links(cluster));
    }

    /** The place of a node's stack in the cluster. */
    ClusterPlace place(String cluster, Ownership ownership, int loops) {
        return new ClusterPlace(
                number(cluster),
                tokens(cluster),
                ownership,
                loops,
                () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
    }

    /**
     * Tokens of flows (RFC 5626) that all nodes read: a flow by a router outlives each of them.
     *
     * @param cluster its name
     * @param hours the wall clock, in hours; any thread
     */
    public FlowTokens flows(String cluster, LongSupplier hours) {
        FlowTokens made = null;
        for (LinkSecret secret : links(cluster).reversed()) {
            made = new FlowTokens(flowKey(secret), hours, made);
        }
        return Objects.requireNonNull(made);
    }

    /**
     * For the seals of application sessions in URIs ({@code encodeURI}).
     *
     * @param cluster its name
     */
    List<byte[]> sessions(String cluster) {
        return links(cluster).stream()
                .map(secret -> secret.derive("carillon application sessions"))
                .toList();
    }

    private static byte[] flowKey(LinkSecret secret) {
        ByteBuffer key = ByteBuffer.allocate(4 * 16);
        for (int i = 1; key.hasRemaining(); i++) {
            key.put(secret.derive("carillon flows " + i));
        }
        return key.array();
    }

    /** The number of the cluster in its tokens: another name has another one. */
    public static int number(String cluster) {
        int hash = 7;
        for (int i = 0; i < cluster.length(); i++) {
            hash = 31 * hash + cluster.charAt(i);
        }
        return hash & 0x7FFF_FFFF;
    }
}
