package io.carillon.servlet.kernel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.members.Proves;
import java.io.UnsupportedEncodingException;
import java.util.Iterator;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Body, content type, charset and languages. */
class MessageContentTest {
    @Test
    @Proves({
        "SipServletMessage#getContent()",
        "SipServletMessage#getContentType()",
        "SipServletMessage#setContent(Object,String)",
    })
    void textIsAStringAndAnythingElseIsBytes() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        assertThat(message.getContent()).isNull();
        assertThat(message.getRawContent()).isNull();
        assertThat(message.getContentLength()).isZero();
        message.setContent("gr\u00fc\u00df", "text/plain");
        assertThat(message.getContent()).isEqualTo("gr\u00fc\u00df");
        assertThat(message.getRawContent()).isEqualTo("gr\u00fc\u00df".getBytes(UTF_8));
        message.setContent("v=0\r\n", "application/sdp");
        assertThat(message.getContent()).isEqualTo("v=0\r\n".getBytes(UTF_8));
        message.setContent(new byte[] {1, 2}, "multipart/mixed;boundary=x");
        assertThat(message.getContent()).isEqualTo(new byte[] {1, 2});
        assertThat(message.getContentType()).isEqualTo("multipart/mixed;boundary=x");
        message.setContent(new StringBuilder("b"), "text/x-own");
        assertThat(message.getContent()).isEqualTo("b");
        message.setContent(42, "text/plain");
        assertThat(message.getContent()).isEqualTo("42");
        message.setContent(null, null);
        assertThat(message.getContentType()).isNull();
        assertThat(message.getContentLength()).isZero();
    }

    @Test
    @Proves(
            value = "SipServletMessage#getContentLength()",
            also = {"SipServletMessage#getContent()", "SipServletMessage#getContentType()"})
    void receivedContentIsReadWithoutAnOverlay() throws Exception {
        TestMessage made = TestMessage.request("MESSAGE");
        made.setContent("hi", "text/plain");
        TestMessage message = new TestMessage(made.freeze());
        assertThat(message.getContent()).isEqualTo("hi");
        assertThat(message.getContentType()).isEqualTo("text/plain");
        assertThat(message.getContentLength()).isEqualTo(2);
        assertThat(message.draftOrNull()).isNull();
    }

    @Test
    @Proves(
            value = "SipServletMessage#getRawContent()",
            also = {
                "SipServletMessage#getContentLength()",
                "SipServletMessage#setContent(Object,String)",
            })
    void aBodyGivenAsBytesBelongsToTheMessage() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        byte[] body = {1, 2};
        message.setContent(body, "application/x");
        body[0] = 9;
        message.getRawContent()[1] = 9;
        assertThat(message.getRawContent()).containsExactly(1, 2);
    }

    @Test
    void theCharsetOfTheTypeIsHonoured() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        message.setContent("\u00e4", "text/plain;charset=\"ISO-8859-1\"");
        assertThat(message.getRawContent()).isEqualTo("\u00e4".getBytes(ISO_8859_1));
        assertThat(message.getCharacterEncoding()).isEqualTo("ISO-8859-1");
        assertThat(message.getContent()).isEqualTo("\u00e4");
    }

    @Test
    void aCharsetSetBeforehandIsUsedAndNamed() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        assertThat(message.getCharacterEncoding()).isNull();
        message.setCharacterEncoding("iso-8859-1");
        message.setContent("\u00e4", "text/plain");
        assertThat(message.getRawContent()).isEqualTo("\u00e4".getBytes(ISO_8859_1));
        assertThat(message.getContentType()).isEqualTo("text/plain;charset=ISO-8859-1");
        assertThat(new TestMessage(message.freeze()).getContent()).isEqualTo("\u00e4");
    }

    @Test
    @Proves({
        "SipServletMessage#getCharacterEncoding()",
        "SipServletMessage#setCharacterEncoding(String)",
    })
    void aCharsetCanBeForcedForReading() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        message.setContent(new byte[] {(byte) 0xe4}, "text/plain");
        message.setCharacterEncoding("ISO-8859-1");
        assertThat(message.getCharacterEncoding()).isEqualTo("ISO-8859-1");
        assertThat(message.getContent()).isEqualTo("\u00e4");
    }

    @Test
    void unknownCharsetsAndTypesAreRefused() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        assertThatThrownBy(() -> message.setCharacterEncoding("no-such"))
                .isInstanceOf(UnsupportedEncodingException.class);
        assertThatThrownBy(() -> message.setCharacterEncoding("no such"))
                .isInstanceOf(UnsupportedEncodingException.class);
        assertThatThrownBy(() -> message.setContent("x", "text/plain;charset=no-such"))
                .isInstanceOf(UnsupportedEncodingException.class);
        assertThatThrownBy(() -> message.setContent("x", "text"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setContent("x", "text/plain\r\nX: y"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setContent(42, "application/sdp"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setContent("x", null))
                .isInstanceOf(NullPointerException.class);
        assertThat(message.draftOrNull()).isNull();
        message.setHeader("Content-Type", "text/plain;charset=no-such");
        message.setContentType("text/plain;charset=no-such");
        assertThat(message.getContent()).isNull();
    }

    @Test
    @Proves({
        "SipServletMessage#getContentLanguage()",
        "SipServletMessage#setContentLanguage(Locale)",
    })
    void contentLanguageIsALocale() {
        TestMessage message = TestMessage.request("MESSAGE", "Content-Language: de-CH, fr");
        assertThat(message.getContentLanguage()).isEqualTo(Locale.of("de", "CH"));
        message.setContentLanguage(Locale.FRENCH);
        assertThat(message.getHeader("Content-Language")).isEqualTo("fr");
        message.setContentLanguage(null);
        assertThat(message.getContentLanguage()).isNull();
    }

    @Test
    @Proves({
        "SipServletMessage#getAcceptLanguage()",
        "SipServletMessage#getAcceptLanguages()",
    })
    void acceptLanguagesComeMostWantedFirst() {
        TestMessage message =
                TestMessage.request(
                        "INVITE",
                        "Accept-Language: da, en-gb;q=0.8, no;q=0",
                        "Accept-Language: en;q=0.9, *;q=0.1");
        Iterator<Locale> locales = message.getAcceptLanguages();
        assertThat(locales.next()).isEqualTo(Locale.of("da"));
        assertThat(locales.next()).isEqualTo(Locale.ENGLISH);
        assertThat(locales.next()).isEqualTo(Locale.UK);
        assertThat(locales.hasNext()).isFalse();
        assertThat(message.getAcceptLanguage()).isEqualTo(Locale.of("da"));
    }

    @Test
    void withoutAcceptLanguageTheServersLocaleIsGiven() {
        assertThat(TestMessage.request("INVITE").getAcceptLanguage())
                .isEqualTo(Locale.getDefault());
    }

    @Test
    @Proves({
        "SipServletMessage#addAcceptLanguage(Locale)",
        "SipServletMessage#setAcceptLanguage(Locale)",
    })
    void addedLanguagesAreLessWantedThanThoseThere() {
        TestMessage message = TestMessage.request("INVITE");
        message.addAcceptLanguage(Locale.GERMAN);
        message.addAcceptLanguage(Locale.US);
        message.addAcceptLanguage(Locale.FRENCH);
        assertThat(HeaderAccessTest.texts(message.getHeaders("Accept-Language")))
                .containsExactly("de", "en-US;q=0.9", "fr;q=0.8");
        message.setAcceptLanguage(Locale.JAPANESE);
        assertThat(HeaderAccessTest.texts(message.getHeaders("Accept-Language")))
                .containsExactly("ja");
        message.setAcceptLanguage(null);
        assertThat(message.getHeader("Accept-Language")).isNull();
    }

    @Test
    @Proves("SipServletMessage#setContentType(String)")
    void theTypeOfABodyMayBeSetByItself() throws Exception {
        TestMessage message = TestMessage.request("MESSAGE");
        message.setContent("<p>hello</p>", "text/plain");
        message.setContentType("text/html");
        assertThat(message.getContentType()).isEqualTo("text/html");
        assertThat(message.freeze().toString())
                .contains("Content-Type: text/html\r\n")
                .endsWith("\r\n\r\n<p>hello</p>");
    }
}
