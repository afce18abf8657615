package io.carillon.sip.codec;

import static io.carillon.sip.codec.TestMessages.datagram;
import static io.carillon.sip.codec.TestMessages.folder;
import static io.carillon.sip.codec.TestMessages.parse;
import static io.carillon.sip.codec.TestMessages.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages of the kind that security advisories of SIP servers name, at the parser. */
class AdvisoriesTest {
    private static final Path FOLDER = folder("advisories/messages");

    /** Everything else in the folder is well formed enough to be decided on by an application. */
    private static final Set<String> REFUSED =
            Set.of(
                    "01-long-cseq-method.sip",
                    "06-double-to-empty-tag.sip",
                    "07-invalid-via.sip",
                    "09-header-name-tab-fold.sip",
                    "10-no-to.sip",
                    "12-negative-content-length.sip",
                    "13-huge-content-length.sip",
                    "14-cl-overflow-32.sip",
                    "15-cl-conflict.sip",
                    "17-identity-fold-nul.sip",
                    "21-invalid-from.sip",
                    "23-contact-star-mixed.sip");

    @Test
    void each_is_refused_with_400_or_accepted_as_its_index_says() {
        for (Map<String, String> row : TestMessages.table(FOLDER.resolve("INDEX.tsv"))) {
            String file = row.get("file");
            ParseResult result = datagram(read(FOLDER.resolve(file)));
            if (REFUSED.contains(file)) {
                assertThat(result).as(file).isInstanceOf(ParseResult.Rejected.class);
                assertThat(((ParseResult.Rejected) result).status()).as(file).isEqualTo(400);
            } else {
                assertThat(result).as(file).isInstanceOf(ParseResult.Parsed.class);
            }
        }
    }

    @Test
    void streams_that_lie_about_their_length_are_given_up_without_memory() {
        for (String file :
                new String[] {
                    "12-negative-content-length.sip",
                    "13-huge-content-length.sip",
                    "14-cl-overflow-32.sip",
                    "15-cl-conflict.sip"
                }) {
            StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
            StreamFramerTest.Recorder sink = new StreamFramerTest.Recorder();
            byte[] b = read(FOLDER.resolve(file));
            framer.feed(b, 0, b.length, sink);
            assertThat(sink.errors).as(file).containsExactly("400 Bad Content-Length");
            assertThat(sink.messages).as(file).isEmpty();
            assertThat(framer.bytesBuffered()).as(file).isZero();
        }
    }

    @Test
    void a_space_before_the_colon_does_not_hide_a_header() {
        SipMessage m = parse(read(FOLDER.resolve("08-header-name-space-colon.sip")));
        assertThat(m.has(HeaderName.P_ASSERTED_IDENTITY)).isTrue();
        SipMessage cleaned = MessageDraft.copyOf(m).remove(HeaderName.P_ASSERTED_IDENTITY).freeze();
        assertThat(cleaned.toString()).doesNotContainIgnoringCase("asserted");
    }

    @Test
    void a_multipart_body_is_opaque() {
        byte[] b = read(FOLDER.resolve("03-multipart-no-parts.sip"));
        SipMessage m = parse(b);
        assertThat(MessageDraft.copyOf(m).freeze().body()).isEqualTo(m.body());
    }
}
