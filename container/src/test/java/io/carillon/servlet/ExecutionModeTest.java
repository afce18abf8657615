package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.harness.VirtualThreads;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/** Where the handlers of an application run, as its context-param io.carillon.execution says. */
class ExecutionModeTest {
    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 1);
    private final ApplicationThreads own = new VirtualThreads(network);
    private int handedOver;
    private final List<Runnable> goneOn = new ArrayList<>();

    private final ApplicationThreads counting =
            new ApplicationThreads() {
                @Override
                public void execute(Runnable task) {
                    handedOver++;
                    own.execute(task);
                }

                @Override
                public boolean goOn(Runnable rest, int place) {
                    return goneOn.add(rest);
                }
            };

    private final Server server =
            new Server(
                    network,
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.DEFAULT,
                    ContainerConfig.defaults(),
                    counting);

    private final RawPeer caller = server.peer("10.0.0.2");
    private final List<Boolean> insideShard = new ArrayList<>();
    private final List<ApplicationSession> sessions = new ArrayList<>();

    /** Answers, and says where it ran. */
    private final class Answering extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doMessage(SipServletRequest request) throws IOException {
            insideShard.add(server.node.shards().getFirst().executor().inShard());
            sessions.add((ApplicationSession) request.getApplicationSession());
            request.createResponse(200).send();
        }
    }

    private int sent;

    /** So many requests come, each on a call of its own. */
    private void messages(int count) {
        for (int i = 0; i < count; i++) {
            sent++;
            caller.request(
                    "MESSAGE sip:b@10.0.0.1",
                    "<sip:a@example.org>;tag=a" + sent,
                    "<sip:b@10.0.0.1>",
                    "call-" + sent,
                    1);
            server.run(Duration.ofMillis(100));
            assertThat(caller.response(200)).isNotNull();
        }
        server.assertClean();
    }

    @Test
    void nonBlockingRunsInsideTheShard() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.NON_BLOCKING);
        messages(2);
        assertThat(insideShard).containsExactly(true, true);
        assertThat(handedOver).isZero();
    }

    @Test
    void blockingRunsOnThreadsOfItsOwn() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.BLOCKING);
        messages(2);
        assertThat(insideShard).containsExactly(false, false);
        assertThat(handedOver).isEqualTo(2);
    }

    @Test
    void adaptiveRunsBesideTheShard() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(2);
        assertThat(insideShard).containsExactly(false, false);
        assertThat(handedOver).isZero();
    }

    @Test
    void adaptiveRunsOnThreadsOfItsOwnWhereShardsCarryNone() {
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(2);
        assertThat(insideShard).containsExactly(false, false);
        assertThat(handedOver).isEqualTo(2);
    }

    @Test
    void whoHeldTheShardHasThreadsOfItsOwnForTenSeconds() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(1);
        sessions.getFirst().heldTheShard(20_000_000);
        messages(3);
        assertThat(handedOver).isEqualTo(3);
        server.run(Duration.ofSeconds(10));
        messages(1);
        assertThat(handedOver).isEqualTo(3);
    }

    /** What waited for the shard when another handler held it goes elsewhere, and is not lost. */
    @Test
    void whatWaitsWhenAnotherHoldsTheShardGoesToAnotherThread() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(1);
        ApplicationSession session = sessions.getFirst();
        session.heldTheShard(20_000_000);
        assertThat(session.stays(0)).isFalse();
        assertThat(handedOver).isEqualTo(1);
    }

    /** Else handlers that wait in many calls, and compute then, could take the threads of loops. */
    @Test
    void whatHasWaitedGoesOnElsewhereWhenAnotherHeldTheShard() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(1);
        ApplicationSession session = sessions.getFirst();
        Runnable rest = () -> {};
        assertThat(session.goesOn(rest, 0)).isTrue();
        assertThat(goneOn).isEmpty();
        session.heldTheShard(20_000_000);
        assertThat(session.goesOn(rest, 0)).isFalse();
        assertThat(goneOn).containsExactly(rest);
    }

    /**
     * Handlers that end in time, but are more than one thread can do: others help, and it is no
     * offence.
     */
    @Test
    void whatWaitsTooLongForTheLoopGoesToAnotherThread() {
        server.node.carries(true);
        server.deploy(new Answering(), ExecutionMode.ADAPTIVE);
        messages(1);
        ApplicationSession session = sessions.getFirst();
        Runnable rest = () -> {};
        assertThat(session.stays(19_999_999)).isTrue();
        assertThat(session.goesOn(rest, 19_999_999)).isTrue();
        assertThat(handedOver).isZero();
        assertThat(session.stays(20_000_000)).isFalse();
        assertThat(session.goesOn(rest, 20_000_000)).isFalse();
        assertThat(handedOver).isEqualTo(1);
        assertThat(goneOn).containsExactly(rest);
        assertThat(session.stays(0)).isTrue();
    }
}
