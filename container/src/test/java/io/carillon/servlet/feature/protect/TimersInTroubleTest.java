package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.junit.jupiter.api.Test;

/** Timers fire once: not while what they do may be lost with this node. */
class TimersInTroubleTest {
    private static final long TIMER_MILLIS = 1_000;

    /** Asks for a timer with each INVITE. */
    private static final class Timed extends SipServlet implements TimerListener {
        private static final long serialVersionUID = 1L;
        private final transient List<String> fired = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            if (request.getMethod().equals("INVITE")) {
                TimerService timers =
                        (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
                timers.createTimer(
                        request.getApplicationSession(), TIMER_MILLIS, false, request.getCallId());
            }
            if (!request.getMethod().equals("ACK")) {
                request.getApplicationSession().setAttribute("last", request.getMethod());
                request.createResponse(200).send();
            }
        }

        @Override
        public void timeout(ServletTimer timer) {
            fired.add(String.valueOf(timer.getInfo()));
        }
    }

    private final Timed application = new Timed();
    private final Protected node =
            new Protected().deploy(application, ExecutionMode.NON_BLOCKING, application);

    /** A call whose timer is due after 300 ms, and one by which the trouble is seen. */
    private void timerIsDue() {
        node.invite("first");
        node.millis(TIMER_MILLIS - 300);
        assertThat(node.store.states()).isPositive();
    }

    /** Something that has to be written. */
    private void isWritten(String call) {
        node.invite(call);
        node.millis(290);
    }

    @Test
    void aTimerFiresInTimeWhileTheStoreTakesRecords() {
        timerIsDue();
        isWritten("second");
        node.millis(20);
        assertThat(application.fired).containsExactly("first");
    }

    @Test
    void aTimerWaitsUntilTheStoreTakesRecordsAgainAndFiresOnce() {
        timerIsDue();
        node.store.failure = "no member has it";
        isWritten("second");
        node.millis(3_000);
        assertThat(application.fired).isEmpty();
        node.store.failure = null;
        node.millis(800);
        assertThat(application.fired).containsExactlyInAnyOrder("first", "second");
        node.millis(20_000);
        assertThat(application.fired).hasSize(2);
    }

    @Test
    void aTimerWaitsWhileTheStoreDoesNotAnswer() {
        timerIsDue();
        node.store.answersAfter = Duration.ofSeconds(3);
        isWritten("second");
        node.millis(2_500);
        assertThat(application.fired).isEmpty();
        node.store.answersAfter = Duration.ofMillis(1);
        node.millis(1_000);
        assertThat(application.fired).containsExactlyInAnyOrder("first", "second");
    }

    /** Else it fires once here and once more at the next owner, whose record is of before. */
    @Test
    void aTimerWaitsWhileItsCallIsGivenToAnotherNode() {
        timerIsDue();
        node.ownership.given = true;
        node.millis(5_000);
        assertThat(application.fired).isEmpty();
        node.ownership.given = false;
        node.millis(200);
        assertThat(application.fired).as("it stays").containsExactly("first");
    }

    @Test
    void aStoreThatStaysBadHoldsTimersFor8SecondsInAll() {
        timerIsDue();
        node.store.failure = "no member has it";
        isWritten("second");
        node.millis(7_600);
        assertThat(application.fired).isEmpty();
        node.millis(300);
        assertThat(application.fired).containsExactlyInAnyOrder("first", "second");
        node.invite("third");
        node.millis(TIMER_MILLIS + 100);
        assertThat(application.fired).containsExactlyInAnyOrder("first", "second", "third");
    }
}
