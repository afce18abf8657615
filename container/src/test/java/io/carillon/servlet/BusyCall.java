package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.harness.SleepingThreads;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;

/** A server whose handlers sleep when the test says so, a caller and a callee. */
abstract class BusyCall {
    static final int FLOOD = 3_000;
    static final String FROM = "<sip:a@x>;tag=a";
    static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** What waits for a turn, what its runner took before, and the message at work. */
    static final long BOUND = 2L * MailboxLimits.DEFAULT.waitingBytes() + 65_536;

    static final String[] LARGE = new String[4];

    static {
        Arrays.fill(LARGE, "X-Large: " + "x".repeat(14_000));
    }

    static final class Sleeper extends SipServlet {
        final List<String> events = new ArrayList<>();
        SleepingThreads threads;
        final List<SipServletResponse> unacknowledged = new ArrayList<>();
        boolean acknowledges = true;
        String sleepsIn = "";

        Sleeper(SleepingThreads threads) {
            this.threads = threads;
        }

        private void in(String event) {
            events.add(event);
            if (event.equals(sleepsIn)) {
                threads.sleep();
            }
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            String uri = request.getRequestURI().toString();
            boolean call = request.isInitial() && request.getMethod().equals("INVITE");
            if (call && uri.contains("proxy")) {
                request.getProxy().setRecordRoute(true);
                request.getProxy().setSupervised(true);
                request.getProxy().proxyTo(factory.createURI("sip:b@10.0.0.3:5060"));
            } else if (call && uri.contains("fork")) {
                request.getProxy().setParallel(true);
                request.getProxy()
                        .proxyTo(
                                List.of(
                                        factory.createURI("sip:b@10.0.0.3:5060"),
                                        factory.createURI("sip:c@10.0.0.3:5060")));
            } else if (call && uri.contains("call")) {
                SipServletRequest onward =
                        factory.createRequest(
                                request.getApplicationSession(),
                                "INVITE",
                                "sip:server@10.0.0.1",
                                "sip:b@10.0.0.3:5060");
                onward.send();
            } else if (request.getMethod().equals("CANCEL")) {
                in("CANCEL");
            } else if (uri.contains("ring")) {
                request.createResponse(180).send();
                in("INVITE");
            } else if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
                in(request.getMethod());
            } else {
                in("ACK");
            }
        }

        void acknowledge() {
            for (SipServletResponse success : unacknowledged) {
                try {
                    success.createAck().send();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            unacknowledged.clear();
        }

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            if (response.getMethod().equals("INVITE")
                    && response.getStatus() == 200
                    && response.getProxy() == null) {
                unacknowledged.add(response);
                if (acknowledges) {
                    acknowledge();
                }
            }
            in(Integer.toString(response.getStatus()));
        }
    }

    SimulatedNetwork network;
    SleepingThreads threads;
    Sleeper sleeper;
    Server server;
    RawPeer alice;
    RawPeer bob;

    void start(StackConfig stack) {
        network = new SimulatedNetwork(new VirtualTime(), 27);
        threads = new SleepingThreads(network.time());
        sleeper = new Sleeper(threads);
        server =
                new Server(
                                network,
                                "10.0.0.1",
                                1,
                                27,
                                new RoundTripStore(),
                                stack,
                                ContainerConfig.defaults(),
                                threads)
                        .deploy(sleeper, ExecutionMode.BLOCKING);
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    static StackConfig.Builder config() {
        return StackConfig.builder().requestHeapBytes(64 << 20);
    }

    long count(Counter counter) {
        return server.node.shards().stream().mapToLong(s -> s.counters().get(counter)).sum();
    }

    long held() {
        return server.node.shards().stream().mapToLong(Shard::heldBytes).sum();
    }

    void pass(long millis) {
        server.run(Duration.ofMillis(millis));
    }

    void invite(String user, String callId) {
        alice.request("INVITE sip:" + user + "@10.0.0.1", FROM, "<sip:b@y>", callId, 1, CONTACT);
    }

    /** Within the call; to is what the 200 said. */
    void within(String method, SipResponse ok, String callId, int cseq, String... headers) {
        alice.request(method + " sip:b@10.0.0.1", FROM, ok.to().toString(), callId, cseq, headers);
    }

    SipResponse answered(String callId) {
        invite("b", callId);
        SipResponse ok = alice.response(200);
        within("ACK", ok, callId, 1);
        pass(10);
        return ok;
    }

    /** Somebody else's call, from its beginning to its end, while the first handler sleeps. */
    void assertServed(String callId) {
        String before = sleeper.sleepsIn;
        sleeper.sleepsIn = "";
        alice.forget();
        SipResponse ok = answered(callId);
        within("BYE", ok, callId, 2);
        alice.response(200);
        sleeper.sleepsIn = before;
    }

    void wake() {
        sleeper.sleepsIn = "";
        threads.wake();
        pass(1_000);
        assertThat(threads.asleep()).isZero();
        assertThat(waiting()).isZero();
        alice.forget();
    }

    long waiting() {
        return server.node.shards().stream().mapToLong(s -> s.waiting().bytes()).sum();
    }

    void assertOver() {
        pass(70_000);
        server.assertEmpty();
        assertThat(held()).isZero();
    }
}
