package io.carillon.net.stream;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The peers that have a name and no address: clients in browsers, which name themselves at random
 * under {@code .invalid} (RFC 7118 B.1). One name for each connection, so it cannot grow beyond the
 * connections. Any thread.
 */
final class NamedPeers {

    private final ConcurrentHashMap<String, StreamConnection> byName = new ConcurrentHashMap<>();

    /**
     * Notes by which name a connection is called. A name that is taken goes over to a client that
     * comes again from the same address: its old connection is dead, though we may not know yet. To
     * strangers it does not go, else they could have another's calls.
     */
    void put(String name, StreamConnection connection) {
        String known = connection.name();
        if (name.equals(known)) {
            return;
        }
        StreamConnection holder =
                byName.compute(
                        name,
                        (key, before) ->
                                before == null
                                                || before.remote()
                                                        .getAddress()
                                                        .equals(connection.remote().getAddress())
                                        ? connection
                                        : before);
        if (holder == connection) {
            connection.name(name);
            if (known != null) {
                byName.remove(known, connection);
            }
        }
    }

    @Nullable StreamConnection get(String name) {
        return byName.get(name);
    }

    /** The connection has ended. */
    void remove(StreamConnection connection) {
        String name = connection.name();
        if (name != null) {
            byName.remove(name, connection);
        }
    }
}
