package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that came before their call. */
class UnclaimedTest {
    private static final long SECONDS = 1_000_000_000L;

    private final Unclaimed unclaimed = new Unclaimed();
    private final List<String> looked = new ArrayList<>();

    private void add(String callId, long now, String what) {
        unclaimed.add(callId, now, () -> looked.add(what));
    }

    private List<String> claimed(String callId) {
        looked.clear();
        unclaimed.claim(callId).forEach(Runnable::run);
        return List.copyOf(looked);
    }

    @Test
    void theyAreLookedAtOnceInTheirOrder() {
        add("a", 0, "CANCEL");
        add("a", 1, "487");
        assertThat(claimed("a")).containsExactly("CANCEL", "487");
        assertThat(claimed("a")).isEmpty();
    }

    @Test
    void ofTooManyTheOldestCallIsForgottenAndOfOneCallTheLaterMessages() {
        for (int i = 0; i <= Unclaimed.MOST; i++) {
            add("call" + i, i, "BYE");
        }
        assertThat(claimed("call0")).isEmpty();
        assertThat(claimed("call1")).containsExactly("BYE");
        for (int i = 0; i < 10; i++) {
            add("b", i, "BYE " + i);
        }
        assertThat(claimed("b")).containsExactly("BYE 0", "BYE 1", "BYE 2", "BYE 3");
    }

    @Test
    void whatIsOldIsForgotten() {
        add("a", 0, "BYE");
        add("b", 41 * SECONDS, "BYE");
        assertThat(claimed("a")).isEmpty();
        assertThat(claimed("b")).containsExactly("BYE");
    }
}
