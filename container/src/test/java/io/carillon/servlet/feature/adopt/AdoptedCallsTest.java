package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call is set up at one node, its record is all that the next one has, and it goes on. */
class AdoptedCallsTest {
    static final Duration SHORT = Duration.ofMillis(50);
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    @TempDir Path folder;

    static SipResponse called(TwoNodes nodes, String uri, String callId, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = CONTACT;
        nodes.alice.request(
                "INVITE " + uri, "<sip:alice@x>;tag=a", "<" + uri + ">", callId, 1, all);
        return nodes.alice.response(200);
    }

    /** Alice and Bob speak through the server. */
    static Leg[] connect(TwoNodes nodes, String uri, String callId, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = CONTACT;
        nodes.alice.request("INVITE " + uri, "<sip:alice@x>;tag=a", "<sip:bob@y>", callId, 1, all);
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        Leg alice = Leg.caller(nodes.alice, nodes.alice.response(200));
        alice.ack();
        bob.comes("ACK");
        nodes.run(SHORT);
        return new Leg[] {alice, bob};
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void ofAUserAgentThatWasCalled(ExecutionMode mode) {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], mode, keeper[0]);
                });
        Leg alice = Leg.caller(nodes.alice, called(nodes, "sip:server@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(SHORT);
        String known = keeper[0].seen.getLast();
        keeper[0].invite();
        alice.answers("INVITE");
        alice.comes("ACK");

        nodes.fail();

        alice.reinvite();
        nodes.run(SHORT);
        assertThat(keeper[0].seen.getLast()).as("session and attributes").isEqualTo(known);
        if (!Boolean.getBoolean(SessionStores.ROUND_TRIP)) { // which tells it all the time
            assertThat(keeper[0].activated).as("each is told once").isEqualTo(2);
        }
        keeper[0].invite();
        alice.answers("INVITE");
        alice.comes("ACK");
        alice.bye();
        nodes.assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAUserAgentThatCalled(boolean serverEnds) {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        keeper[0].call("sip:bob@10.0.0.3");
        SipRequest invite = nodes.bob.request("INVITE");
        nodes.bob.respond(invite, 200, "b");
        Leg bob = Leg.callee(nodes.bob, invite, "b");
        bob.comes("ACK");
        nodes.run(SHORT);
        String known = keeper[0].seen.getLast();

        nodes.fail();

        bob.reinvite();
        nodes.run(SHORT);
        assertThat(keeper[0].seen.getLast()).as("session and attributes").isEqualTo(known);
        keeper[0].invite();
        bob.answers("INVITE");
        bob.comes("ACK");
        if (serverEnds) {
            keeper[0].bye();
            bob.answers("BYE");
        } else {
            bob.bye();
        }
        nodes.assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofABackToBackUserAgent(boolean callerFirst) {
        TwoNodes nodes =
                new TwoNodes(server ->
                        server.deploy(new Bridge("sip:bob@10.0.0.3"), ExecutionMode.ADAPTIVE));
        Leg[] ends = connect(nodes, "sip:x@10.0.0.1", "c1");
        Leg alice = ends[0];
        Leg bob = ends[1];

        nodes.fail();

        Leg one = callerFirst ? alice : bob;
        Leg other = callerFirst ? bob : alice;
        one.send("INVITE");
        other.answers("INVITE");
        (callerFirst ? nodes.alice : nodes.bob).response(200);
        one.ack();
        other.comes("ACK");
        other.send("INVITE");
        one.answers("INVITE");
        (callerFirst ? nodes.bob : nodes.alice).response(200);
        other.ack();
        one.comes("ACK");
        one.send("BYE");
        other.answers("BYE");
        (callerFirst ? nodes.alice : nodes.bob).response(200);
        nodes.assertEnded(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAProxyThatStaysOnTheWay(boolean callerFirst) {
        Passes[] proxy = new Passes[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    proxy[0] = new Passes();
                    server.deploy(proxy[0], ExecutionMode.ADAPTIVE);
                });
        Leg[] ends = connect(nodes, "sip:bob@10.0.0.3", "c1", "Route: <sip:10.0.0.1;lr>");
        Leg alice = ends[0];
        Leg bob = ends[1];
        String mark = proxy[0].seen.getLast().substring("ACK ".length());
        assertThat(mark).doesNotStartWith("null");

        nodes.fail();

        Leg one = callerFirst ? alice : bob;
        Leg other = callerFirst ? bob : alice;
        one.send("INVITE");
        other.answersAny("INVITE");
        (callerFirst ? nodes.alice : nodes.bob).response(200);
        one.ack();
        other.comes("ACK");
        nodes.run(SHORT);
        assertThat(proxy[0].seen).containsExactly("INVITE " + mark, "ACK " + mark);
        other.send("BYE");
        one.answersAny("BYE");
        (callerFirst ? nodes.bob : nodes.alice).response(200);
        nodes.assertEnded(1);
    }

    @Test
    void ofApplicationsOnOneCall() throws Exception {
        Path dar = folder.resolve("dar.properties");
        Files.writeString(
                dar,
                """
                INVITE: ("first", "DAR:From", "ORIGINATING", "", "NO_ROUTE", "0"), \
                ("second", "DAR:From", "NEUTRAL", "", "NO_ROUTE", "1"), \
                ("third", "DAR:From", "NEUTRAL", "", "NO_ROUTE", "2")
                """);
        Passes[] proxies = new Passes[2];
        TwoNodes nodes =
                new TwoNodes(
                        server -> {
                            proxies[0] = new Passes();
                            proxies[1] = new Passes();
                            deploy(server, "first", proxies[0]);
                            deploy(server, "second", new Bridge("sip:bob@10.0.0.3"));
                            deploy(server, "third", proxies[1]);
                        },
                        dar);
        Leg[] ends = connect(nodes, "sip:x@10.0.0.1", "c1");
        Leg alice = ends[0];
        Leg bob = ends[1];

        String region = proxies[0].seen.getLast().substring("ACK ".length());
        nodes.fail();
        assertThat(nodes.server.container.callsHeld()).as("before anybody asks").isZero();
        List<String> toOurselves = new ArrayList<>();
        nodes.network.tap((at, fate, transport, from, to, bytes) -> {
            if (from.equals(to)) {
                toOurselves.add(new String(bytes, StandardCharsets.UTF_8));
            }
        });

        bob.send("INVITE");
        alice.answersAny("INVITE");
        nodes.bob.response(200);
        bob.ack();
        alice.comes("ACK");
        assertThat(proxies[0].seen)
                .as("the first")
                .containsExactly("INVITE " + region, "ACK " + region);
        assertThat(region).endsWith(" ORIGINATING");
        assertThat(proxies[1].seen).as("the third").hasSize(2);
        alice.send("BYE");
        bob.answersAny("BYE");
        nodes.alice.response(200);
        assertThat(toOurselves).as("between applications nothing is on the wire").isEmpty();
        nodes.assertEnded(3);
    }

    static void deploy(Server server, String name, SipServlet servlet, EventListener... listeners) {
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder(name)
                        .servlet("main", () -> servlet)
                        .execution(ExecutionMode.ADAPTIVE);
        for (EventListener listener : listeners) {
            builder.listener(listener);
        }
        try {
            server.container.deploy(builder.build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatItsApplicationHasSaidOfItsEnd() {
        Keeper[] keeper = new Keeper[1];
        TwoNodes nodes =
                new TwoNodes(server -> {
                    keeper[0] = new Keeper();
                    server.deploy(keeper[0], ExecutionMode.ADAPTIVE, keeper[0]);
                });
        Leg alice = Leg.caller(nodes.alice, called(nodes, "sip:server@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(SHORT);
        keeper[0].last().getApplicationSession().setInvalidateWhenReady(false);
        nodes.fail();
        alice.bye();
        nodes.run(SHORT);
        assertThat(nodes.server.container.callsHeld()).as("its flag was taken back").isOne();
        keeper[0].last().getApplicationSession().invalidate();
        nodes.assertEnded(1);
    }
}
