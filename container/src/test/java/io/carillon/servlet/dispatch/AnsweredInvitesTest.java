package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.dispatch.AnsweredInvites.Answer;
import org.junit.jupiter.api.Test;

class AnsweredInvitesTest {
    private static final long LIFE = 16 * 60_000L;

    private final AnsweredInvites answered = new AnsweredInvites();

    @Test
    void eachForkGetsOneByeAndAnAckForEachRepetition() {
        assertThat(answered.to(1, 1, 0)).isEqualTo(Answer.ACK_AND_BYE);
        for (int i = 1; i < AnsweredInvites.MOST_ACKS; i++) {
            assertThat(answered.to(1, 1, 0)).isEqualTo(Answer.ACK);
        }
        assertThat(answered.to(1, 1, 0)).isEqualTo(Answer.NOTHING);
        assertThat(answered.to(1, 2, 0)).isEqualTo(Answer.ACK_AND_BYE);
    }

    @Test
    void anInviteHasFourForks() {
        for (int i = 0; i < AnsweredInvites.MOST_FORKS; i++) {
            assertThat(answered.to(1, 100 + i, 0)).isEqualTo(Answer.ACK_AND_BYE);
        }
        assertThat(answered.to(1, 3, 0)).isEqualTo(Answer.NOTHING);
        assertThat(answered.to(2, 1, 0)).isEqualTo(Answer.ACK_AND_BYE);
    }

    @Test
    void aFullTableAnswersNoOtherInviteUntilTheOldestHaveEnded() {
        for (int i = 0; i < AnsweredInvites.MOST_INVITES; i++) {
            assertThat(answered.to(100 + i, 1, i)).isEqualTo(Answer.ACK_AND_BYE);
        }
        assertThat(answered.to(99, 1, LIFE)).isEqualTo(Answer.NOTHING);
        assertThat(answered.size()).isEqualTo(AnsweredInvites.MOST_INVITES);
        assertThat(answered.to(105, 1, LIFE)).as("one that is known").isEqualTo(Answer.ACK);
        assertThat(answered.to(99, 1, LIFE + 1)).isEqualTo(Answer.ACK_AND_BYE);
        assertThat(answered.to(109, 1, 2 * LIFE + AnsweredInvites.MOST_INVITES))
                .isEqualTo(Answer.ACK_AND_BYE);
        assertThat(answered.size()).as("all others have ended").isEqualTo(1);
    }
}
