package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.SimulatedLoad.Shape;
import io.carillon.testkit.SimulatedNetwork;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The phones and the voice mail server of the web voice mail, against a scripted application. */
class WebVoiceMailTest {
    private final SimulatedLoad load = new SimulatedLoad();
    private final VoiceMailApplication application = new VoiceMailApplication(load);

    private LoadEngine start(double rate, long calls) {
        LoadEngine engine =
                load.voiceMail(Shape.of(rate, calls).times(Duration.ZERO, Duration.ofSeconds(60)));
        engine.trigger(application);
        return engine;
    }

    @Test
    void aUserTakesTwentyEightMessages() {
        LoadEngine engine = start(1, 2);
        LoadCounts counts = load.finish();
        assertThat(counts.failures()).isEmpty();
        assertThat(counts.completed).isEqualTo(2);
        // One hung up the phone, one clicked on the page.
        assertThat(application.messages).isEqualTo(2 * 28);
        // The answers to six NOTIFYs each are timed: there and back, a millisecond each way.
        assertThat(engine.stats().response().getTotalCount()).isEqualTo(2 * 6);
        assertThat(engine.stats().response().getMaxValue()).isBetween(1990L, 2010L);
        assertThat(counts.unexpected).isZero();
        assertThat(counts.retransmissionsSent + counts.retransmissionsReceived).isZero();
    }

    @Test
    void manyUsersAreHeldForTheirMinute() {
        LoadEngine engine = start(10, 300);
        load.time.runFor(Duration.ofSeconds(29));
        assertThat(engine.stats().held()).isEqualTo(291);
        LoadCounts counts = load.finish();
        assertThat(counts.completed).isEqualTo(300);
        assertThat(application.messages).isEqualTo(300 * 28);
    }

    @Test
    void aLostNotifyIsSentAgain() {
        int[] lost = {0};
        load.network.loseIf(bytes -> bytes[0] == 'N' && lost[0]++ == 0);
        start(1, 1);
        LoadCounts counts = load.finish();
        assertThat(counts.completed).isEqualTo(1);
        assertThat(counts.retransmissionsSent).isEqualTo(1);
        assertThat(counts.late).isEqualTo(1);
    }

    @Test
    void anApplicationThatDoesNotSubscribeFails() {
        application.subscribes = false;
        start(1, 3);
        LoadCounts counts = load.finish();
        assertThat(counts.failures()).isEqualTo(Map.of("no SUBSCRIBE", 3L));
    }

    @Test
    void aPageThatFailsIsTheCause() {
        application.pageFails = "HTTP 500";
        start(1, 2);
        assertThat(load.finish().failures()).isEqualTo(Map.of("HTTP 500", 2L));
    }

    @Test
    void anApplicationThatDoesNotCallFails() {
        SimulatedLoad silent = new SimulatedLoad();
        silent.network.bind(
                SimulatedNetwork.address("10.0.9.1", 5060), (bytes, transport, from, to) -> {});
        LoadEngine engine = silent.voiceMail(Shape.of(1, 2));
        engine.trigger(
                new Trigger() {
                    @Override
                    public void call(
                            String phone,
                            String mail,
                            boolean counted,
                            java.util.function.Consumer<String> no) {}

                    @Override
                    public void hangUp(
                            String phone,
                            String mail,
                            boolean counted,
                            java.util.function.Consumer<String> no) {}
                });
        assertThat(silent.finish().failures())
                .isEqualTo(Map.of("no call from the application", 2L));
    }
}
