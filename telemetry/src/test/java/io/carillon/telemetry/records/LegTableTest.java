package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the table of legs remembers, and for how long. */
class LegTableTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST = 10_000;

    private final LegTable table = new LegTable("n", 100);

    @Test
    void aTransferIsKnownByItsTargetAndByWhoWasSentThereForAMinute() {
        table.referral("sip:c@x", "<sip:b@x>", "call-1", 0);
        assertThat(table.referred("sip:c@x", "<sip:z@x>", false, SECOND)).isNull();
        assertThat(table.referred("sip:c@x", "<sip:b@x>", false, SECOND)).isEqualTo("call-1");
        assertThat(table.referred("sip:c@x", "<sip:b@x>", false, SECOND)).as("once").isNull();

        table.referral("sip:c@x", "<sip:b@x>", "call-2", 0);
        assertThat(table.referred("sip:c@x", "<sip:z@x>", true, SECOND)).isEqualTo("call-2");
        table.referral("sip:c@x", "<sip:b@x>", "call-3", 0);
        assertThat(table.referred("sip:c@x", "<sip:b@x>", true, 61 * SECOND)).isNull();
    }

    @Test
    void ofTooManyReferralsTheOldestIsForgotten() {
        for (int i = 0; i <= MOST; i++) {
            table.referral("sip:" + i + "@x", "b", "call", 0);
        }
        assertThat(table.referred("sip:0@x", "b", false, 0)).isNull();
        assertThat(table.referred("sip:1@x", "b", false, 0)).isEqualTo("call");
    }

    @Test
    void aLongCallIdIsNotKeptWhole() {
        String one = "x".repeat(600) + "1";
        assertThat(LegTable.key(one)).hasSizeLessThan(530).isNotEqualTo(LegTable.key(one + "2"));
        assertThat(LegTable.key("short")).isEqualTo("short");
    }
}
