package io.carillon.servlet.feature.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Call blocking, call forwarding and a location service on one INVITE, by a router file that
 * changes while calls are up.
 */
class ThreeApplicationsTest {
    private static final class Blocking extends Relay {
        Blocking(List<String> events) {
            super("blocking", events);
        }

        @Override
        protected void initial(SipServletRequest request) throws ServletException, IOException {
            if (((SipURI) request.getFrom().getURI()).getUser().equals("mallory")) {
                request.createResponse(403).send();
            } else {
                super.initial(request);
            }
        }
    }

    private static final class Forwarding extends Relay {
        Forwarding(List<String> events) {
            super("forwarding", events);
        }

        @Override
        protected void initial(SipServletRequest request) throws ServletException, IOException {
            SipURI uri = (SipURI) request.getRequestURI().clone();
            if (uri.getUser().equals("bob")) {
                uri.setUser("carol");
            }
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(uri);
        }
    }

    private static final class Location extends Relay {
        private static final Map<String, String> BINDINGS =
                Map.of(
                        "bob", "sip:bob@10.0.0.3:5060",
                        "carol", "sip:carol@10.0.0.4:5060;x=1");

        Location(List<String> events) {
            super("location", events);
        }

        @Override
        protected void initial(SipServletRequest request) throws ServletException, IOException {
            String user = ((SipURI) request.getRequestURI()).getUser();
            String binding = BINDINGS.get(user);
            if (binding == null) {
                request.createResponse(404).send();
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> targets = new ArrayList<>();
            targets.add(factory.createURI(binding));
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(targets);
        }
    }

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "NON_BLOCKING, true",
        "NON_BLOCKING, false",
        "BLOCKING, true",
        "BLOCKING, false",
    })
    void aChangedRouterHoldsForNewCallsAndRunningOnesKeepTheirPath(
            ExecutionMode mode, boolean byRoute) {
        Path dar = folder.resolve("chain.dar");
        Stage.write(dar, Stage.invite("blocking", "forwarding", "location"));
        Stage stage = new Stage(mode, dar);
        stage.deploy("location", new Location(stage.events));
        stage.deploy("forwarding", new Forwarding(stage.events));
        stage.deploy("blocking", new Blocking(stage.events));
        var carol = stage.server.peer("10.0.0.4");

        invite(stage, "c1");
        SipRequest first = carol.request("INVITE");
        assertThat(first.requestUri()).hasToString("sip:carol@10.0.0.4:5060;x=1");
        carol.respond(first, 200, "c");
        SipResponse ok = stage.alice.response(200);
        assertThat(stage.seen())
                .containsExactly(
                        "blocking INVITE",
                        "forwarding INVITE",
                        "location INVITE",
                        "location 200",
                        "forwarding 200",
                        "blocking 200");

        Stage.write(dar, Stage.invite("blocking", "location"));
        assertThat(stage.server.container.reloadRouter(false)).isTrue();
        invite(stage, "c2");
        SipRequest second = stage.bob.request("INVITE");
        assertThat(stage.seen()).containsExactly("blocking INVITE", "location INVITE");
        stage.bob.respond(second, 486, "b");
        stage.alice.response(486);
        stage.seen();

        String uri = byRoute ? "sip:10.0.0.4:5060" : "sip:bob@10.0.0.1";
        String[] routes = byRoute ? Stage.fromCaller(ok) : new String[0];
        String callee = "<sip:bob@y>;tag=c";
        stage.alice.request("ACK " + uri, Stage.CALLER, callee, "c1", 1, routes);
        carol.request("ACK");
        assertThat(stage.seen()).containsExactly("blocking ACK", "forwarding ACK", "location ACK");
        String[] with = new String[routes.length + 1];
        with[0] = "Contact: <sip:10.0.0.2:5060>";
        System.arraycopy(routes, 0, with, 1, routes.length);
        stage.alice.request("INVITE " + uri, Stage.CALLER, callee, "c1", 2, with);
        SipRequest again = carol.request("INVITE");
        carol.respond(again, 200, "");
        stage.alice.response(200);
        stage.alice.request("ACK " + uri, Stage.CALLER, callee, "c1", 2, routes);
        carol.request("ACK");
        assertThat(stage.seen())
                .containsExactly(
                        "blocking INVITE",
                        "forwarding INVITE",
                        "location INVITE",
                        "location 200",
                        "forwarding 200",
                        "blocking 200",
                        "blocking ACK",
                        "forwarding ACK",
                        "location ACK");
        carol.request(
                "BYE " + (byRoute ? "sip:10.0.0.2:5060" : "sip:alice@10.0.0.1"),
                callee,
                Stage.CALLER,
                "c1",
                9,
                byRoute ? Stage.fromCallee(first) : new String[0]);
        stage.alice.respond(stage.alice.request("BYE"), 200, "");
        carol.response(200);
        assertThat(stage.seen())
                .containsExactly(
                        "location BYE",
                        "forwarding BYE",
                        "blocking BYE",
                        "blocking 200",
                        "forwarding 200",
                        "location 200");
        stage.alice.request(
                "INVITE sip:bob@10.0.0.1", "<sip:mallory@x>;tag=m", Stage.CALLEE, "c3", 1);
        stage.alice.response(403);
        assertThat(stage.seen()).containsExactly("blocking INVITE");
        stage.end();
    }

    private static void invite(Stage stage, String callId) {
        stage.alice.request(
                "INVITE sip:bob@10.0.0.1",
                Stage.CALLER,
                Stage.CALLEE,
                callId,
                1,
                "Contact: <sip:10.0.0.2:5060>");
    }
}
