package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code encodeURI} gave at one node leads to its application session at the next one. */
@SuppressWarnings("deprecation") // SipApplicationSession.encodeURI
class EncodedUrisTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUriOfAnotherNodeLeadsToItsApplicationSession(boolean sameKey)
            throws ServletParseException {
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes =
                TwoNodes.inCluster(server -> {
                    Keeper keeper = new Keeper();
                    keepers.add(keeper);
                    server.container
                            .host()
                            .tokens()
                            .share(List.of(new byte[] {(byte) (sameKey ? 1 : keepers.size())}));
                    server.deploy(keeper, ExecutionMode.ADAPTIVE);
                });
        Leg alice =
                Leg.caller(
                        nodes.alice, AdoptedCallsTest.called(nodes, "sip:server@10.0.0.1", "c1"));
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        SipApplicationSession call = keepers.getFirst().last().getApplicationSession();
        URI uri =
                ((SipFactory)
                                keepers.getFirst()
                                        .getServletContext()
                                        .getAttribute(Keeper.SIP_FACTORY))
                        .createURI("sip:server@10.0.0.1");
        call.encodeURI(uri);

        nodes.fail();

        Leg other = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, uri.toString(), "c2"));
        other.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        String id = keepers.getLast().last().getApplicationSession().getId();
        assertThat(id.equals(call.getId())).isEqualTo(sameKey);
        other.bye();
        alice.bye();
        nodes.assertEnded(1);
    }
}
