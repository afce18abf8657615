package io.carillon.it.failover;

import java.io.IOException;
import java.util.List;

/** Where the processes of a trial cluster are, and what stands before their commands. */
interface Site extends AutoCloseable {
    /** Address of the phones. */
    String phones();

    /** Address of the router. */
    String router();

    /** Address of a node; the witness is the one behind the last. */
    String node(int number);

    /** Before the command of a node. */
    List<String> inNode(int number);

    /** Before the command of the router. */
    List<String> inRouter();

    /** The wire between them, where it can be cut. */
    WireFaults wire() throws IOException;

    @Override
    void close() throws IOException;

    /** All on the loopback address. */
    Site LOOPBACK =
            new Site() {
                private static final String HOST = "127.0.0.1";

                @Override
                public String phones() {
                    return HOST;
                }

                @Override
                public String router() {
                    return HOST;
                }

                @Override
                public String node(int number) {
                    return HOST;
                }

                @Override
                public List<String> inNode(int number) {
                    return List.of();
                }

                @Override
                public List<String> inRouter() {
                    return List.of();
                }

                @Override
                public WireFaults wire() throws IOException {
                    throw new IOException("faults of the wire need --namespaces");
                }

                @Override
                public void close() {}
            };
}
