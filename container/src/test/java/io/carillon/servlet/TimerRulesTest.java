package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a timer says of itself. */
class TimerRulesTest {

    private static final class Clock extends SipServlet implements TimerListener {
        final List<Long> late = new ArrayList<>();
        int count;
        final boolean fixedDelay;
        final Server server;

        Clock(Server server, boolean fixedDelay) {
            this.server = server;
            this.fixedDelay = fixedDelay;
        }

        @Override
        protected void doInvite(SipServletRequest request) {
            ((TimerService) getServletContext().getAttribute(TIMER_SERVICE))
                    .createTimer(
                            request.getApplicationSession(), 1_000, 1_000, fixedDelay, false, "");
        }

        @Override
        public void timeout(ServletTimer timer) {
            late.add(server.container.millis() - timer.scheduledExecutionTime());
            if (++count == 3) {
                timer.cancel();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void scheduledExecutionTimeInTheCallbackIsThatOfTheTimeoutInProgress(ExecutionMode mode) {
        for (boolean fixedDelay : new boolean[] {false, true}) {
            Server own = Server.fresh(3);
            Clock clock = new Clock(own, fixedDelay);
            own.deploy(clock, mode, clock);
            own.peer("10.0.0.2")
                    .request(
                            "INVITE sip:uas@10.0.0.1",
                            "<sip:a@x>;tag=a",
                            "<sip:uas@y>",
                            "c1",
                            1,
                            "Contact: <sip:10.0.0.2:5060>");
            own.run(Duration.ofSeconds(5));
            assertThat(clock.late).hasSize(3).allSatisfy(l -> assertThat(l).isBetween(0L, 20L));
        }
    }

    /** The time is counted from the call, not from what its shard last heard of. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aTimerThatIsSetWhileNothingElseHappensIsNotEarly(ExecutionMode mode) {
        Server own = Server.fresh(3);
        Clock clock = new Clock(own, false);
        own.deploy(clock, mode, clock);
        RawPeer alice = own.peer("10.0.0.2");
        alice.request("OPTIONS sip:x@10.0.0.1", "<sip:a@x>;tag=a", "<sip:x@y>", "c0", 1);
        alice.response(500);
        own.run(Duration.ofSeconds(100));
        SipFactory factory =
                (SipFactory) clock.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        TimerService timers =
                (TimerService) clock.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        timers.createTimer(factory.createApplicationSession(), 30_000, false, "");
        own.run(Duration.ofSeconds(29));
        assertThat(clock.late).isEmpty();
        own.run(Duration.ofSeconds(2));
        assertThat(clock.late).hasSize(1);
    }

    /** "Never", as applications write it, is no time that has passed. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aTimerOfTheLongestDelayDoesNotComeAtOnce(ExecutionMode mode) {
        Server own = Server.fresh(3);
        Clock clock = new Clock(own, false);
        own.deploy(clock, mode, clock);
        SipFactory factory =
                (SipFactory) clock.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        TimerService timers =
                (TimerService) clock.getServletContext().getAttribute(SipServlet.TIMER_SERVICE);
        ServletTimer never =
                timers.createTimer(
                        factory.createApplicationSession(), Long.MAX_VALUE, false, "never");
        assertThat(never.getTimeRemaining()).isGreaterThan(Duration.ofDays(36_000).toMillis());
        own.run(Duration.ofSeconds(100));
        assertThat(clock.late).isEmpty();
        assertThat(clock.count).isZero();
    }
}
