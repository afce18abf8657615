package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows (RFC 5626), Path (RFC 3327), Service-Route (RFC 3608) and GRUUs (RFC 5627). */
class FlowsTest {
    private static final String BEHIND_NAT = "sip:bob@192.168.1.7:5060;transport=tcp";
    private static final String INSTANCE = ";+sip.instance=\"<urn:uuid:0A1B>\"";
    private static final String OUTBOUND = "Supported: path, outbound, gruu";

    @TempDir private Path folder;
    private JdbcConnectionPool database;
    private World world;
    private World.Flow alice;

    @BeforeEach
    void start() throws Exception {
        database = JdbcConnectionPool.create("jdbc:h2:mem:flows;DB_CLOSE_DELAY=-1", "carillon", "");
        world = new World(folder, database);
        alice = world.flow("alice", Transport.UDP);
    }

    @AfterEach
    void stop() throws Exception {
        world.server.advance(Duration.ofSeconds(70));
        world.close();
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
        }
        database.dispose();
    }

    private World.Flow tcp(String name) {
        return world.flow(name, Transport.TCP);
    }

    private static String outboundContact(int regId) {
        return "Contact: <" + BEHIND_NAT + ";ob>;reg-id=" + regId + INSTANCE;
    }

    private void call(String uri, String id) {
        String contact = "Contact: <sip:alice@10.0.1.1:5060>";
        alice.send("INVITE " + uri, "alice", "bob", id, 1, contact);
    }

    private static String routes(Received about, boolean reversed) {
        List<String> all = about.message().recordRoutes().stream().map(Object::toString).toList();
        return "Route: " + String.join(", ", reversed ? all.reversed() : all);
    }

    @Test
    void aTcpPhoneBehindNatIsCalledOverItsConnection() throws Exception {
        World.Flow phone = tcp("phone");
        phone.register(200, "Contact: <" + BEHIND_NAT + ">");
        call("sip:bob@10.0.0.1", "c1");
        Received invite = phone.peer.expect("INVITE");
        assertThat(invite.header("Request-URI")).isEqualTo(BEHIND_NAT);
        phone.peer.reply(invite, 200, "Contact: <" + BEHIND_NAT + ">");
        Received answer = alice.peer.expect("200");

        String toBob = "bob;tag=tag-phone";
        String routes = routes(answer, true);
        alice.send("ACK " + BEHIND_NAT, "alice", toBob, "c1", 1, routes);
        assertThat(phone.peer.expect("ACK").header("Route")).isEmpty();
        alice.send("BYE " + BEHIND_NAT, "alice", toBob, "c1", 2, routes);
        Received bye = phone.peer.expect("BYE");
        phone.peer.reply(bye, 200);
        alice.peer.expect("200");
    }

    @Test
    void aPhoneThatListensIsReachedWhenItsConnectionIsGone() throws Exception {
        World.Flow phone = tcp("phone");
        // The phone is at its second address what its Contact says; the first one goes away.
        World.Flow listens = tcp("listens");
        String contact = "sip:bob@10.0.1.3:5060;transport=tcp";
        phone.register(200, "Contact: <" + contact + ">");
        world.server.network().unbind(phone.peer.address());
        call("sip:bob@10.0.0.1", "c1");
        listens.peer.reply(listens.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
    }

    @Test
    void rfc5626_6_aFlowIsToldByInstanceAndRegId() throws Exception {
        World.Flow first = tcp("first");
        Received ok = first.register(200, outboundContact(1), OUTBOUND);
        assertThat(ok.header("Require")).isEqualTo("outbound");
        assertThat(ok.header("Contact")).contains("reg-id=1").contains(";ob>");
        // The phone was cut off and comes again with another Contact: the same flow, refreshed.
        World.Flow again = tcp("again");
        ok = again.register(200, outboundContact(1).replace("7:5060", "7:5099"), OUTBOUND);
        assertThat(ok.header("Contact")).containsOnlyOnce("reg-id=").contains("5099");
        call("sip:bob@10.0.0.1", "c1");
        again.peer.reply(again.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
        assertThat(first.peer.count("INVITE")).isZero();
    }

    @Test
    void rfc5626_7_theNewestFlowIsTriedFirstAndAfter430TheNext() throws Exception {
        World.Flow first = tcp("first");
        World.Flow second = tcp("second");
        first.register(200, outboundContact(1), OUTBOUND);
        second.register(200, outboundContact(2), OUTBOUND);
        call("sip:bob@10.0.0.1", "c1");
        Received invite = second.peer.expect("INVITE");
        assertThat(first.peer.count("INVITE")).isZero();
        second.peer.reply(invite, 200, "Contact: <" + BEHIND_NAT + ";ob>");
        Received answer = alice.peer.expect("200");
        String routes = routes(answer, true);
        String toBob = "bob;tag=tag-second";
        alice.send("ACK " + BEHIND_NAT, "alice", toBob, "c1", 1, routes);
        second.peer.expect("ACK");

        // The flow dies in the middle of the call: its requests get 430, a new call the other flow.
        world.server.network().unbind(second.peer.address());
        alice.send("BYE " + BEHIND_NAT, "alice", toBob, "c1", 2, routes);
        alice.peer.expect("430");
        call("sip:bob@10.0.0.1", "c2");
        first.peer.reply(first.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
        Received left = first.register(200);
        assertThat(left.header("Contact")).contains("reg-id=1").doesNotContain("reg-id=2");
    }

    @Test
    void rfc5626_7_anInstanceThatAnsweredIsNotAskedByItsOtherFlow() throws Exception {
        World.Flow first = tcp("first");
        World.Flow second = tcp("second");
        first.register(200, outboundContact(1), OUTBOUND);
        second.register(200, outboundContact(2), OUTBOUND);
        call("sip:bob@10.0.0.1", "c1");
        second.peer.reply(second.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
        assertThat(first.peer.count("INVITE")).isZero();
    }

    @Test
    void withoutAFlowThatIsLeftTheCallerHears480() throws Exception {
        World.Flow phone = tcp("phone");
        phone.register(200, outboundContact(1), OUTBOUND);
        world.server.network().unbind(phone.peer.address());
        call("sip:bob@10.0.0.1", "c1");
        alice.peer.expect("480");
        Received asked = tcp("asks").register(200);
        assertThat(asked.header("Contact")).isEmpty();
    }

    @Test
    void flowsOfBeforeARestartAreGone() throws Exception {
        World.Flow phone = tcp("phone");
        phone.register(200, outboundContact(1), OUTBOUND);
        world.close();
        world = new World(folder, database);
        alice = world.flow("alice", Transport.UDP);
        World.Flow same = tcp("phone");
        call("sip:bob@10.0.0.1", "c1");
        alice.peer.expect("480");
        same.register(200, outboundContact(1), OUTBOUND);
        call("sip:bob@10.0.0.1", "c2");
        same.peer.reply(same.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
    }

    @Test
    void rfc5626_6_aFirstHopWithoutObIs439() throws Exception {
        World.Flow phone = tcp("phone");
        String path = "Path: <sip:10.0.1.9;lr>";
        phone.register(439, outboundContact(1), OUTBOUND, path);
        // "otherwise, the registrar MUST ignore the "reg-id" parameter".
        Received ok = phone.register(200, outboundContact(1), "Supported: path", path);
        assertThat(ok.header("Require")).isEmpty();
        assertThat(ok.header("Contact")).doesNotContain("reg-id");
        assertThat(ok.header("Path")).isEqualTo("<sip:10.0.1.9;lr>");
        // The value of the first hop is the last one.
        String far = "Path: <sip:10.0.1.8;lr>, <sip:abc@10.0.1.9;lr;ob>";
        ok = phone.register(200, outboundContact(1), OUTBOUND, far);
        assertThat(ok.header("Contact")).contains("reg-id=1");
    }

    @Test
    void rfc5626_6_oneFlowForEachRegister() throws Exception {
        World.Flow phone = tcp("phone");
        phone.register(400, outboundContact(1), "Contact: <sip:bob@192.168.1.8>", OUTBOUND);
        phone.register(200, outboundContact(1), "Contact: <sip:bob@10.9.9.9>;expires=0", OUTBOUND);
        // "a reg-id but no instance-id [...] simply ignores the reg-id parameter".
        Received ok = phone.register(200, "Contact: <sip:bob@192.168.1.9>;reg-id=3", OUTBOUND);
        assertThat(ok.header("Contact")).doesNotContain("reg-id=3");
    }

    @Test
    void whatIsRequiredAndNotKnownIs420() throws Exception {
        Received no = tcp("phone").register(420, "Require: path, teleport");
        assertThat(no.header("Unsupported")).isEqualTo("teleport");
        Received often = tcp("other").register(420, "Require: a" + ",a".repeat(500) + ",b");
        assertThat(often.message().headers(HeaderName.UNSUPPORTED)).containsExactly("a", "b");
    }

    /** RFC 3261 10.3 step 4: the user part as a whole says whose the address of record is. */
    @ParameterizedTest
    @ValueSource(
            strings = {"bob%40corp", "bob%40x%40y", "bo", "alice", "bob%3Ba=b", "bob:pw", "Bob"})
    void nobodyRegistersForAnAccountWhoseNameBeginsWithHis(String user) throws Exception {
        World.Flow phone = tcp("phone");
        phone.addressOfRecord = user;
        // A password is no part of the address.
        int status = user.equals("bob:pw") ? 200 : 403;
        phone.register(status, "Contact: <sip:x@192.168.1.9>");
    }

    // ---- GRUU

    private static String parameter(String contact, String name) {
        Matcher found = Pattern.compile(name + "=\"([^\"]*)\"").matcher(contact);
        assertThat(found.find()).as(name + " in " + contact).isTrue();
        return found.group(1);
    }

    @Test
    void rfc5627_aGruuLeadsToItsInstanceAlone() throws Exception {
        World.Flow phone = tcp("phone");
        World.Flow other = tcp("other");
        Received ok = phone.register(200, outboundContact(1), OUTBOUND);
        other.register(200, "Contact: <sip:bob@10.0.1.3:5060>;+sip.instance=\"<urn:uuid:9>\"");
        String contact = ok.header("Contact");
        String open = parameter(contact, "pub-gruu");
        String hidden = parameter(contact, "temp-gruu");
        assertThat(open).isEqualTo("sip:bob@10.0.0.1;gr=urn:uuid:0a1b");
        assertThat(hidden).startsWith("sip:tgruu.").endsWith("@10.0.0.1;gr").doesNotContain("bob");
        int call = 0;
        for (String gruu : List.of(open, hidden)) {
            call(gruu, "c" + ++call);
            Received invite = phone.peer.expect("INVITE");
            assertThat(invite.header("Request-URI")).isEqualTo(BEHIND_NAT + ";ob");
            phone.peer.reply(invite, 486);
            alice.peer.expect("486");
        }
        assertThat(other.peer.count("INVITE")).isZero();
        call("sip:bob@10.0.0.1;gr=urn:uuid:77", "c8");
        alice.peer.expect("480");
        call(hidden.replace("tgruu.", "tgruu.A"), "c9");
        alice.peer.expect("404");
    }

    @Test
    void rfc5627_5_3_temporaryGruusAreManyAndEndWithTheCallId() throws Exception {
        World.Flow phone = tcp("phone");
        String first = gruu(phone.register(200, outboundContact(1), OUTBOUND));
        String second = gruu(phone.register(200, outboundContact(1), OUTBOUND));
        assertThat(second).isNotEqualTo(first);
        call(first, "c1"); // those before are valid still
        phone.peer.reply(phone.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
        phone.callId = "another";
        String third = gruu(phone.register(200, outboundContact(1), OUTBOUND));
        call(first, "c2");
        alice.peer.expect("404");
        call(third, "c3");
        phone.peer.reply(phone.peer.expect("INVITE"), 486);
        alice.peer.expect("486");
        phone.register(200, outboundContact(1) + ";expires=0", OUTBOUND);
        call(third, "c4");
        alice.peer.expect("404");
    }

    private static String gruu(Received ok) {
        return parameter(ok.header("Contact"), "temp-gruu");
    }

    @Test
    void rfc5627_6_1_aRequestWithinACallToAGruuBecomesTheContact() throws Exception {
        World.Flow phone = tcp("phone");
        Received ok = phone.register(200, outboundContact(1), OUTBOUND);
        String gruu = parameter(ok.header("Contact"), "pub-gruu");
        call("sip:bob@10.0.0.1", "c1");
        Received invite = phone.peer.expect("INVITE");
        phone.peer.reply(invite, 200, "Contact: <" + gruu + ">");
        Received answer = alice.peer.expect("200");
        String routes = routes(answer, true);
        String toBob = "bob;tag=tag-phone";
        alice.send("ACK " + gruu, "alice", toBob, "c1", 1, routes);
        assertThat(phone.peer.expect("ACK").header("Request-URI")).isEqualTo(BEHIND_NAT + ";ob");
        alice.send("BYE " + gruu, "alice", toBob, "c1", 2, routes);
        Received bye = phone.peer.expect("BYE");
        assertThat(bye.header("Request-URI")).isEqualTo(BEHIND_NAT + ";ob");
        phone.peer.reply(bye, 200);
        alice.peer.expect("200");
    }
}
