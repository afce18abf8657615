package io.carillon.examples.registrar;

import io.carillon.servlet.feature.security.UserStore;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The example in a server in memory, under virtual time, and phones that register there. */
final class World implements AutoCloseable {
    static final InetSocketAddress SERVER = SimulatedNetwork.address(SipTestServer.HOST, 5060);

    final SipTestServer server;

    World(Path folder, DataSource database) throws Exception {
        server = SipTestServer.open(1, false);
        server.container().settings().dataSource(database);
        server.container().security().users().store(World::user);
        server.deploy(pack(folder));
    }

    /** The application there, made where it is not. */
    static Path pack(Path folder) throws IOException {
        Path application = folder.resolve("registrar");
        if (!Files.exists(application)) {
            copy(Path.of("src/main/webapp"), application);
            copy(Path.of("target/classes"), application.resolve("WEB-INF/classes"));
        }
        return application;
    }

    private static UserStore.User user(String realm, String name) {
        String ha1 = DigestAlgorithm.SHA_256.ha1(name, realm, "secret");
        return new UserStore.User(name, Map.of(DigestAlgorithm.SHA_256, ha1), Set.of());
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** A way of bob's phone to the server: an address and a transport. */
    Flow flow(String name, Transport transport) {
        return new Flow(server.peer(name).transport(transport), transport);
    }

    @Override
    public void close() {
        server.assertNoErrors();
        server.close();
    }

    /** One connection, or one UDP address, of a phone. */
    static final class Flow {
        final ScriptedPeer peer;
        private final Transport transport;
        private DigestClient digest;
        private int cseq;
        private int branch;
        String callId;

        /** User part of To. */
        String addressOfRecord = "bob";

        /** Host of To. */
        String host = SipTestServer.HOST;

        private Flow(ScriptedPeer peer, Transport transport) {
            this.peer = peer;
            this.transport = transport;
            this.callId = "reg-" + peer.name();
        }

        /** Registers bob; the challenge is answered. */
        Received register(int status, String... headers) throws Exception {
            register(headers);
            if (digest == null) {
                Received challenge = peer.expect("401");
                String first = challenge.message().headers(HeaderName.WWW_AUTHENTICATE).getFirst();
                digest = DigestClient.of(AuthHeader.parse(first), "bob", "secret");
                register(headers);
            }
            return peer.expect(Integer.toString(status));
        }

        private void register(String... headers) {
            String uri = "sip:" + SipTestServer.HOST;
            StringBuilder more = new StringBuilder();
            for (String header : headers) {
                more.append(header).append('\n');
            }
            if (digest != null) {
                more.append("Authorization: ")
                        .append(digest.answer("REGISTER", uri, new byte[0], "c0ffee"))
                        .append('\n');
            }
            send("REGISTER " + uri, "bob", addressOfRecord, callId, ++cseq, more.toString());
        }

        /**
         * Sends a request.
         *
         * @param to user part of To, and its tag behind a semicolon
         */
        void send(String line, String from, String to, String call, int number, String headers) {
            int semicolon = to.indexOf(';');
            String user = semicolon < 0 ? to : to.substring(0, semicolon);
            peer.send(
                    SERVER,
                    line
                            + " SIP/2.0\nVia: SIP/2.0/"
                            + transport
                            + " 192.168.1.7:5060;branch=z9hG4bK"
                            + peer.name()
                            + ++branch
                            + ";rport\nMax-Forwards: 70\nFrom: <sip:"
                            + from
                            + "@x>;tag=tag-"
                            + from
                            + "\nTo: <sip:"
                            + user
                            + "@"
                            + host
                            + ">"
                            + (semicolon < 0 ? "" : to.substring(semicolon))
                            + "\nCall-ID: "
                            + call
                            + "\nCSeq: "
                            + number
                            + " "
                            + line.substring(0, line.indexOf(' '))
                            + "\n"
                            + headers);
        }
    }
}
