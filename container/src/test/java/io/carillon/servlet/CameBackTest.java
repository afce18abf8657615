package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that the server has sent to itself by the wire is from whoever sent the one that it is
 * a copy of: he is not at our address.
 */
class CameBackTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String US = "sip:10.0.0.1:5060";

    private final List<String> blamed = new ArrayList<>();

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 3),
                    "10.0.0.1",
                    4,
                    3,
                    new RoundTripStore(),
                    StackConfig.builder().conduct(conduct()).build(),
                    ContainerConfig.defaults());

    private final List<String> initial = new ArrayList<>();

    private PeerConduct conduct() {
        return new PeerConduct() {
            @Override
            public boolean admits(SipRequest request, Hop from, long nowNanos) {
                return true;
            }

            @Override
            public void failed(Failure how, Hop from, boolean proven, long nowNanos) {
                blamed.add(from.remoteHost() + (proven ? " by a connection" : ""));
            }

            @Override
            public void proven(Hop from, long nowNanos) {}
        };
    }

    /** Serves "uac", and proxies or copies everything else. */
    private final class Both extends Bridge {
        private final boolean copies;

        Both(boolean copies) {
            super("sip:uac@us.example:5060");
            this.copies = copies;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial()) {
                super.doRequest(request);
            } else if (request.getRequestURI().toString().contains("uac")) {
                initial.add(request.getInitialRemoteAddr());
                request.createResponse(404).send();
            } else if (copies) {
                super.doRequest(request);
            } else {
                request.getProxy().proxyTo(request.getRequestURI());
            }
        }
    }

    private Server deployed(boolean copies) {
        server.network.domain("us.example", SimulatedNetwork.address("10.0.0.1", 5060));
        return server.deploy(new Both(copies), ExecutionMode.NON_BLOCKING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<" + US + ";lr>, <sip:uac@10.0.0.1:5060>",
                "<" + US + ";lr>, <" + US + ";lr>, <sip:uac@10.0.0.1:5060>",
                "<" + US + ";lr>, <" + US + ";transport=tcp;lr>, <sip:uac@10.0.0.1:5060>",
                "<"
                        + US
                        + ";lr>, <"
                        + US
                        + ";transport=tcp;lr;crt=0001000000000000000>,"
                        + " <sip:uac@10.0.0.1:5060>",
                "<" + US + ";lr>, <" + US + ";lr;crt=0001000000000000000>, <sip:uac@10.0.0.1:5060>",
            })
    void whatAProxyOfOursSendsToOurselvesIsFromItsSender(String routes) {
        deployed(false);
        RawPeer stranger = server.peer("10.0.0.2");
        for (int i = 0; i < 8; i++) {
            stranger.request(
                    "OPTIONS sip:proxy@10.9.9.9",
                    FROM,
                    "<sip:x@y>",
                    "c" + i,
                    1,
                    "Route: " + routes);
        }
        server.run(Duration.ofSeconds(2));
        assertThat(initial).isNotEmpty().containsOnly("10.0.0.2");
        assertThat(blamed).isNotEmpty().containsOnly("10.0.0.2");
    }

    /** By TCP to another shard, which does not know what it is a copy of. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void howItCameToUsFromOurselvesProvesNoSource(boolean copies) {
        deployed(copies);
        RawPeer stranger = server.peer("10.0.0.2");
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            stranger.request("OPTIONS sip:uac@10.0.0.1", FROM, "<sip:x@y>", "t" + i, 1);
            tags.add(stranger.response(404).toTag());
        }
        initial.clear();
        blamed.clear();
        for (String tag : tags) {
            String again = "<" + US + ";transport=tcp;lr;crl=" + tag + ">";
            stranger.request(
                    "INVITE sip:" + (copies ? "b2bua" : "proxy") + "@10.9.9.9",
                    FROM,
                    "<sip:x@y>",
                    "c" + tag,
                    1,
                    "Contact: <sip:10.0.0.2:5060>",
                    "Route: <" + US + ";lr>, " + again + ", <sip:uac@10.0.0.1:5060>");
        }
        server.run(Duration.ofSeconds(2));
        assertThat(blamed).isNotEmpty().containsOnly("10.0.0.2");
    }

    @Test
    void aRedirectToOurselvesIsFromTheSenderToo() {
        deployed(false);
        RawPeer stranger = server.peer("10.0.0.2");
        RawPeer callee = server.peer("10.0.0.3");
        stranger.request("OPTIONS sip:proxy@10.0.0.3:5060", FROM, "<sip:x@y>", "c1", 1);
        callee.respond(callee.request("OPTIONS"), 302, "t", "Contact: <sip:uac@10.0.0.1:5060>");
        server.run(Duration.ofSeconds(2));
        assertThat(initial).containsExactly("10.0.0.2");
    }

    @Test
    void whatABackToBackUserAgentSendsToOurselvesIsFromItsCaller() {
        deployed(true);
        RawPeer stranger = server.peer("10.0.0.2");
        for (int i = 0; i < 8; i++) {
            stranger.request(
                    "INVITE sip:b2bua@10.0.0.1",
                    FROM,
                    "<sip:x@y>",
                    "c" + i,
                    1,
                    "Contact: <sip:10.0.0.2:5060>");
        }
        server.run(Duration.ofSeconds(2));
        assertThat(initial).hasSize(8).containsOnly("10.0.0.2");
        assertThat(blamed).containsOnly("10.0.0.2");
    }
}
