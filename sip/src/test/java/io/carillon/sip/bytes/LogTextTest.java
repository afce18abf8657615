package io.carillon.sip.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTextTest {
    @Test
    void usualTextStaysTheSameObject() {
        String text = "Deployed b2bua.war, 3 calls held";
        assertThat(LogText.safe(text)).isSameAs(text);
    }

    @Test
    void aLineOfAStrangerStaysOneLine() {
        assertThat(LogText.safe("a\r\n12:00:00 INFO Server Stopped"))
                .isEqualTo("a\\r\\n12:00:00 INFO Server Stopped");
        assertThat(LogText.safe("a\u2028b\u0085c")).isEqualTo("a\\u2028b\\x85c");
    }

    @Test
    void commandsForTerminalsAndLookUpsAreEscaped() {
        assertThat(LogText.safe("\u001b[2J\u0000\u007f\u202Egnp"))
                .isEqualTo("\\x1b[2J\\x00\\x7f\\u202egnp");
        assertThat(LogText.safe("${jndi:ldap://x/a} costs $5"))
                .isEqualTo("\\${jndi:ldap://x/a} costs $5");
    }

    @Test
    void credentialsOfAMessageAreMasked() {
        String register =
                "REGISTER sip:x SIP/2.0\r\n"
                        + "authorization : Digest username=\"alice\",\r\n\tresponse=\"0123\"\r\n"
                        + "Proxy-Authorization: Basic YTpi\r\n"
                        + "Content-Length: 0\r\n\r\n";
        assertThat(LogText.safe(register))
                .isEqualTo(
                        "REGISTER sip:x SIP/2.0\\r\\nauthorization :***\\r\\n"
                                + "Proxy-Authorization:***\\r\\nContent-Length: 0\\r\\n\\r\\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    jdbc:postgresql://h/d?user=a&password=top&ssl=on | jdbc:postgresql://h/d?user=a&password=***&ssl=on
                    Settings[url=x, password=top, n=1]               | Settings[url=x, password=***, n=1]
                    PASSWD='a b' next                                | PASSWD=*** next
                    the password is wrong                            | the password is wrong
                    secretary=ann                                    | secretary=ann
                    WWW-Authenticate: Digest nonce=1                 | WWW-Authenticate: Digest nonce=1
                    """)
    void wordsThatNameSecretsAreMasked(String text, String shown) {
        assertThat(LogText.safe(text)).isEqualTo(shown);
    }

    @Test
    void anUnfinishedSecretIsMaskedToTheEnd() {
        assertThat(LogText.safe("password=\"abc def")).isEqualTo("password=***");
        assertThat(LogText.safe("Authorization:")).isEqualTo("Authorization:***");
        assertThat(LogText.safe("password=")).isEqualTo("password=***");
        assertThat(LogText.safe(null)).isEqualTo("null");
    }
}
