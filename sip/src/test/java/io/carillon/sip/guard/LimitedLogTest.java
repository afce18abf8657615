package io.carillon.sip.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitedLogTest {
    private static final long PAUSE_NANOS = 1_000_000_000;

    @Test
    void linesThatStrangersCauseAreLimited() {
        LimitedLog log = new LimitedLog(PAUSE_NANOS);
        assertThat(log.admit(-5)).isZero();
        assertThat(log.admit(0)).isEqualTo(-1);
        assertThat(log.admit(1)).isEqualTo(-1);
        assertThat(log.admit(PAUSE_NANOS)).isEqualTo(2);
        assertThat(log.admit(PAUSE_NANOS + 1)).isEqualTo(-1);
    }
}
