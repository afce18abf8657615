package io.carillon.server.measure;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Datagrams that the kernel dropped because a receive buffer of ours was full: the {@code drops}
 * column of {@code /proc/net/udp}, for the sockets bound to our addresses. Always 0 where the
 * system has no such file. Any thread.
 */
public final class KernelDrops {
    private static final int DROPS_COLUMN = 12;

    private final Set<String> locals;
    private final List<Path> tables;

    /**
     * Watches sockets.
     *
     * @param bound the bound addresses of our UDP sockets
     */
    public KernelDrops(List<InetSocketAddress> bound) {
        this(bound, List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6")));
    }

    KernelDrops(List<InetSocketAddress> bound, List<Path> tables) {
        this.locals =
                bound.stream().map(KernelDrops::kernelForm).collect(Collectors.toUnmodifiableSet());
        this.tables = tables;
    }

    /** The sum over our sockets since they were bound. */
    public long total() {
        long sum = 0;
        for (Path table : tables) {
            List<String> lines;
            try {
                lines = Files.readAllLines(table, StandardCharsets.US_ASCII);
            } catch (IOException e) {
                continue; // no such table on this system: nothing to count
            }
            for (String line : lines) {
                sum += drops(line.strip());
            }
        }
        return sum;
    }

    /** Columns: sl local rem st tx:rx tr:tm retrnsmt uid timeout inode ref pointer drops. */
    private long drops(String line) {
        List<String> columns = List.of(line.split("\\s+", -1));
        if (columns.size() <= DROPS_COLUMN || !locals.contains(columns.get(1))) {
            return 0;
        }
        return Long.parseLong(columns.get(DROPS_COLUMN));
    }

    /** The kernel prints an address as words of 32 bits in the byte order of the machine. */
    static String kernelForm(InetSocketAddress address) {
        byte[] bytes = address.getAddress().getAddress();
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            for (int word = 0; word < bytes.length; word += 4) {
                swap(bytes, word, word + 3);
                swap(bytes, word + 1, word + 2);
            }
        }
        return HexFormat.of().withUpperCase().formatHex(bytes)
                + String.format(Locale.ROOT, ":%04X", address.getPort());
    }

    private static void swap(byte[] bytes, int a, int b) {
        byte kept = bytes[a];
        bytes[a] = bytes[b];
        bytes[b] = kept;
    }
}
