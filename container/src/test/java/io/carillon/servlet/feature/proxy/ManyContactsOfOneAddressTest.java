package io.carillon.servlet.feature.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
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
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An account whose contacts all are at somebody who has nothing to do with it. */
class ManyContactsOfOneAddressTest {
    private static final int CONTACTS = 10;

    /** RFC 3261 17.1.1.2: timer A until timer B. */
    private static final int BY_TIMER_A = 7;

    private boolean proven;

    private static final class Location extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final boolean parallel;

        Location(boolean parallel) {
            this.parallel = parallel;
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> contacts = new ArrayList<>();
            for (int i = 0; i < CONTACTS; i++) {
                contacts.add(factory.createURI("sip:contact" + i + "@10.0.0.66:5060"));
            }
            Proxy proxy = invite.getProxy();
            proxy.setParallel(parallel);
            proxy.proxyTo(contacts);
        }
    }

    private final class Strangers implements PeerConduct {
        @Override
        public boolean admits(SipRequest initial, Hop from, long nowNanos) {
            return true;
        }

        @Override
        public void failed(Failure how, Hop from, boolean sure, long nowNanos) {}

        @Override
        public void proven(Hop from, long nowNanos) {}

        @Override
        public boolean provenLately(Hop peer, long nowNanos) {
            return proven;
        }
    }

    private long invites(boolean parallel) {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 3),
                        "10.0.0.1",
                        1,
                        3,
                        new RoundTripStore(),
                        StackConfig.builder().conduct(new Strangers()).build(),
                        ContainerConfig.defaults());
        RawPeer caller = server.peer("10.0.0.2");
        RawPeer victim = server.peer("10.0.0.66");
        server.deploy(new Location(parallel), ExecutionMode.NON_BLOCKING);
        caller.request(
                "INVITE sip:account@10.0.0.1",
                "<sip:x@x>;tag=a",
                "<sip:account@10.0.0.1>",
                "c1",
                1,
                "Contact: <sip:x@10.0.0.2:5060>");
        server.run(Duration.ofSeconds(400));
        server.assertEmpty();
        return victim.all.stream().filter(m -> m instanceof SipRequest r && r.is("INVITE")).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsThereAndSaysNothingIsCalledOnceByEachOfThem(boolean parallel) {
        assertThat(invites(parallel)).isEqualTo(BY_TIMER_A + CONTACTS - 1);
    }

    /**
     * Phones behind one address that have registered from there get what is sent until it comes.
     */
    @Test
    void whoHasShownThatItIsHisAddressGetsAllOfThem() {
        proven = true;
        assertThat(invites(true)).isEqualTo(BY_TIMER_A * CONTACTS);
    }
}
