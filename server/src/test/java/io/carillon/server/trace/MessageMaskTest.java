package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageMaskTest {
    private static String masked(String message, boolean bodies, String... headers) {
        byte[] bytes = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        byte[] before = bytes.clone();
        byte[] masked = new MessageMask(List.of(headers)).of(bytes, bodies);
        assertThat(masked).as("lengths stay right").hasSameSizeAs(bytes);
        assertThat(bytes).as("the original is not touched").isEqualTo(before);
        return new String(masked, StandardCharsets.UTF_8).replace("\r\n", "\n");
    }

    private static String inHeader(String header) {
        String message = masked("OPTIONS sip:a SIP/2.0\n" + header + "\nVia: x\n\n", false);
        return message.substring(message.indexOf('\n') + 1, message.indexOf("\nVia: x"));
    }

    @Test
    void theDigestResponseIsHiddenAndTheRestHelpsToFindFaults() {
        assertThat(
                        inHeader(
                                "Authorization: Digest username=\"bob\", realm=\"r\", nonce=\"n1\","
                                        + " uri=\"sip:r\",\n response=\"6629fae4\", algorithm=MD5"))
                .isEqualTo(
                        "Authorization: Digest username=\"bob\", realm=\"r\", nonce=\"n1\","
                                + " uri=\"sip:r\",\n response=\"********\", algorithm=MD5");
        assertThat(inHeader("proxy-authorization : digest response = abc,nc=1"))
                .isEqualTo("proxy-authorization : digest response = ***,nc=1");
        assertThat(inHeader("Authentication-Info: nextnonce=\"x\", rspauth=\"abc\""))
                .isEqualTo("Authentication-Info: nextnonce=\"x\", rspauth=\"***\"");
    }

    @Test
    void ofOtherSchemesNothingIsShown() {
        assertThat(inHeader("Authorization: Basic QWxhZGRpbg=="))
                .isEqualTo("Authorization: Basic" + "*".repeat(13));
        assertThat(inHeader("Authorization: Bearer a.b, c")).doesNotContain("a.b", "c");
    }

    @Test
    void identityTokensAreHiddenInBothFormsOfTheName() {
        assertThat(inHeader("Identity: eyJh.b.c;info=<https://x>;alg=ES256"))
                .isEqualTo("Identity: ********;info=<https://x>;alg=ES256");
        assertThat(inHeader("y: eyJ;alg=ES256")).isEqualTo("y: ***;alg=ES256");
    }

    @Test
    void passwordsInUrisAreHidden() {
        assertThat(inHeader("Contact: <sip:bob:geheim@10.0.0.1:5060>, <sips:c:d@e;p>"))
                .isEqualTo("Contact: <sip:bob:******@10.0.0.1:5060>, <sips:c:*@e;p>");
        assertThat(inHeader("Contact: <sip:10.0.0.1:5060>, <sip:bob@10.0.0.1:5060>"))
                .isEqualTo("Contact: <sip:10.0.0.1:5060>, <sip:bob@10.0.0.1:5060>");
        assertThat(masked("INVITE sip:a:b@c SIP/2.0\nVia: x\n\n", false))
                .startsWith("INVITE sip:a:*@c SIP/2.0\n");
    }

    @Test
    void configuredHeadersAreHidden() {
        assertThat(masked("OPTIONS sip:a SIP/2.0\nX-Account: 4711\n\n", false, "x-account"))
                .contains("X-Account: ****\n");
    }

    @Test
    void mediaKeysAreHiddenAlsoWhereBodiesAreShown() {
        String sdp =
                """
                INVITE sip:a SIP/2.0
                Content-Type: application/sdp

                v=0
                k=clear:secret
                a=ice-ufrag:8hhY
                a=ice-pwd:asd88fgpdd777uzjYhagZg
                a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwg|2^20;inline:QUJD|2^20
                a=key-mgmt:mikey AQAFgM0
                a=rtpmap:0 PCMU/8000
                """;
        for (boolean bodies : new boolean[] {false, true}) {
            assertThat(masked(sdp, bodies))
                    .doesNotContain("secret", "asd88", "WVNf", "QUJD", "AQAF")
                    .contains(
                            "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:****************|2^20;inline:****|2^20")
                    .contains("a=ice-ufrag:8hhY", "a=rtpmap:0 PCMU/8000");
        }
    }

    @Test
    void otherBodiesAreHiddenUnlessTheyAreAskedFor() {
        String text = "MESSAGE sip:a SIP/2.0\nc: text/plain\nl: 8\n\nmeet\nme\n";
        assertThat(masked(text, false)).endsWith("\n\n****\n**\n");
        assertThat(masked(text, true)).endsWith("\n\nmeet\nme\n");
        String dtmf = "INFO sip:a SIP/2.0\nContent-Type: application/dtmf-relay\n\nSignal=5\n";
        assertThat(masked(dtmf, false)).doesNotContain("5\n");
        String nothing = "MESSAGE sip:a SIP/2.0\n\nno type";
        assertThat(masked(nothing, false)).endsWith("\n\n*******");
        String fragment =
                "NOTIFY sip:a SIP/2.0\nContent-Type: message/sipfrag;version=2.0\n\nSIP/2.0 200 OK\nTo: x\n";
        assertThat(masked(fragment, false)).endsWith("\n\nSIP/2.0 200 OK\n*****\n");
    }

    @Test
    void brokenMessagesAreTakenAsTheyAre() {
        for (String broken :
                List.of(
                        "",
                        "\n",
                        "x",
                        "Authorization",
                        "A: b",
                        "I s SIP/2.0\nAuthorization:",
                        "I s SIP/2.0\nAuthorization: Digest response=",
                        "I sip:a:b",
                        "I sips:\n\n",
                        "I s SIP/2.0\n folded\n\n",
                        "I s SIP/2.0\nIdentity:\n\nbody")) {
            assertThat(masked(broken, false)).hasSize(broken.length());
        }
    }
}
