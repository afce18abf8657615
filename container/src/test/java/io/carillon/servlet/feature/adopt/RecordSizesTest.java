package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.port.CallStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/** How large records are, by kinds of calls: a grid pays for each byte twice. */
class RecordSizesTest {
    private static final String CALL_ID = "3848276298220188511@phone.example.com";
    private final Map<String, Integer> sizes = new LinkedHashMap<>();

    /** Answers, and keeps nothing. */
    static final class Plain extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    private void taken(String kind, TwoNodes nodes) {
        nodes.write();
        int bytes = 0;
        for (CallStore.State state : nodes.store.records().values()) {
            bytes += Objects.requireNonNull(state.bytes()).length;
        }
        sizes.put(kind, bytes);
    }

    private static TwoNodes node(SipServlet servlet) {
        return new TwoNodes(server -> server.deploy(servlet, ExecutionMode.ADAPTIVE));
    }

    @Test
    void aUsualCallFitsInTwoKilobytes() {
        TwoNodes plain = node(new Plain());
        Leg caller =
                Leg.caller(
                        plain.alice,
                        AdoptedCallsTest.called(plain, "sip:service@10.0.0.1", CALL_ID));
        taken("user agent that has answered, before the ACK", plain);
        caller.ack();
        taken("user agent, nothing kept", plain);
        TwoNodes keeper = node(new Keeper());
        Leg.caller(keeper.alice, AdoptedCallsTest.called(keeper, "sip:service@10.0.0.1", CALL_ID))
                .ack();
        taken("user agent, 11 attributes, the INVITE among them", keeper);
        TwoNodes proxy = node(new Passes());
        AdoptedCallsTest.connect(proxy, "sip:bob@10.0.0.3", CALL_ID, "Route: <sip:10.0.0.1;lr>");
        taken("proxy with Record-Route", proxy);
        TwoNodes bridge = node(new Bridge("sip:bob@10.0.0.3"));
        AdoptedCallsTest.connect(bridge, "sip:x@10.0.0.1", CALL_ID);
        taken("back-to-back user agent, both legs", bridge);
        TwoNodes ringing = node(new Bridge("sip:bob@10.0.0.3"));
        EarlyCallsTest.bridged(ringing);
        taken("back-to-back user agent that rings", ringing);
        sizes.forEach((kind, bytes) -> System.out.println("Record of a " + kind + ": " + bytes));
        assertThat(sizes.values()).allMatch(bytes -> bytes <= 2_048);
    }
}
