package io.carillon.examples.voicemail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bodies as RFC 3842 section 5 and servers in the field write them. */
class MessageSummaryTest {
    @Test
    void countsAreReadWhateverTheCaseAndTheSpaces() {
        String body =
                "Messages-Waiting: yes\r\nMessage-Account: sip:alice@vmail.example.com\r\n"
                        + "Voice-Message: 2/8 (0/2)\r\n\r\n";
        assertThat(MessageSummary.parse(body)).isEqualTo(new MessageSummary(true, 2, 8));
        assertThat(MessageSummary.parse("messages-waiting : NO\nvoice-message:0 / 3"))
                .isEqualTo(new MessageSummary(false, 0, 3));
    }

    @Test
    void aBodyWithoutCountsHasNone() {
        assertThat(MessageSummary.parse("Messages-Waiting: yes\r\n"))
                .isEqualTo(new MessageSummary(true, 0, 0));
        assertThat(MessageSummary.parse("nonsense")).isEqualTo(new MessageSummary(false, 0, 0));
        assertThat(MessageSummary.parse("Voice-Message: 99999999999/1"))
                .isEqualTo(new MessageSummary(false, 0, 0));
    }
}
