package io.carillon.examples.chain;

import io.carillon.servlet.feature.security.UserStore;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.UserAgent;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;

/** What the registrar needs of a server, a database and users; and phones that register. */
final class Location {
    private static final String REALM_SECRET = "secret";

    private final SipTestServer server;
    private final ScriptedPeer phones;
    private int cseq;

    Location(SipTestServer server) {
        this.server = server;
        JdbcDataSource database = new JdbcDataSource();
        // In memory, and there as long as the process: a name of its own for each test.
        database.setURL(
                "jdbc:h2:mem:chain" + System.identityHashCode(server) + ";DB_CLOSE_DELAY=-1");
        server.container().settings().dataSource(database);
        server.container().security().users().store(Location::user);
        this.phones = ScriptedPeer.bind(server.network(), "phones", "10.0.2.1", 5060);
    }

    private static UserStore.User user(String realm, String name) {
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            ha1.put(algorithm, algorithm.ha1(name, realm, REALM_SECRET));
        }
        return new UserStore.User(name, ha1, Set.of());
    }

    /** RFC 3261 10.2, with the digest of the first challenge that is offered. */
    void register(UserAgent phone) throws Exception {
        send(phone, "");
        Received challenge = phones.expect("401");
        String offered = challenge.message().header(HeaderName.of("WWW-Authenticate"));
        DigestClient digest =
                DigestClient.of(AuthHeader.parse(offered), phone.name(), REALM_SECRET);
        String answer = digest.answer("REGISTER", "sip:10.0.0.1", new byte[0], "c0ffee").toString();
        send(phone, "Authorization: " + answer + "\n");
        phones.expect("200");
    }

    private void send(UserAgent phone, String header) {
        String own = server.uri(phone.name());
        phones.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "REGISTER sip:10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.2.1;branch=z9hG4bK-"
                        + ++cseq
                        + "\nMax-Forwards: 70\nFrom: <"
                        + own
                        + ">;tag=r\nTo: <"
                        + own
                        + ">\nCall-ID: register-"
                        + phone.name()
                        + "\nCSeq: "
                        + cseq
                        + " REGISTER\nContact: <"
                        + phone.uri()
                        + ">;expires=3600\n"
                        + header);
    }
}
