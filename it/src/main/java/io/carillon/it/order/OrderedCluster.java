package io.carillon.it.order;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.cluster.link.LinkSecret;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.Tokens;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * What router, nodes and phones know alike.
 *
 * @param port of the router, for UDP and TCP
 * @param secrets the cluster's key
 * @param partitions to which a message belongs
 * @param calls all of them: every second one has a tag of the cluster, the others go by the hash of
 *     their Call-ID
 */
record OrderedCluster(
        int port, List<LinkSecret> secrets, Partitions partitions, List<OrderedCall> calls) {
    static final int NUMBER = 7;
    private static final int KEY_BYTES = 32;

    static OrderedCluster of(int port, int calls) {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        List<LinkSecret> secrets = List.of(LinkSecret.of(key));
        ClusterKeys keys = LinkSecret.tokenKeys(secrets);
        Partitions partitions = new Partitions(NUMBER, keys);
        ClusterPlace place = new ClusterPlace(NUMBER, keys, Ownership.ALONE, 1, () -> 0);
        Tokens tokens =
                new Tokens(
                        OwnTokens.ofCluster(place),
                        0,
                        () -> true,
                        RandomSource.secure(),
                        OwnMarks.ofCluster(place));
        List<OrderedCall> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            String id = OrderedCall.id(i);
            if (i % 2 == 0) {
                int partition = i * 7 % Ownership.PARTITIONS;
                all.add(new OrderedCall(i, id, tokens.tag(partition), partition));
            } else {
                all.add(new OrderedCall(i, id, "outside" + i, byId(partitions, id)));
            }
        }
        return new OrderedCluster(port, secrets, partitions, List.copyOf(all));
    }

    private static int byId(Partitions partitions, String id) {
        byte[] head =
                ("INFO sip:order@127.0.0.1 SIP/2.0\r\nCall-ID: " + id + "\r\n\r\n")
                        .getBytes(ISO_8859_1);
        return partitions.of(head, head.length);
    }
}
