package io.carillon.it.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The example of RFC 7616 section 3.9.1. */
class DigestAnswerTest {
    private static final String CHALLENGES =
            "HTTP/1.1 401 Unauthorized\r\n"
                    + challenge("SHA-256")
                    + challenge("MD5")
                    + "Content-Length: 0\r\n\r\n";
    private static final String CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

    private static String challenge(String algorithm) {
        return "WWW-Authenticate: Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm="
                + algorithm
                + ", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\"\r\n";
    }

    private static String answer(String algorithm) {
        return new DigestAnswer(algorithm, "Mufasa", "Circle of Life")
                .to(CHALLENGES, "GET", "/dir/index.html", CNONCE);
    }

    @Test
    void theChallengeOfTheAlgorithmIsAnswered() {
        assertThat(answer("SHA-256"))
                .contains(
                        "response=\"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1\"")
                .contains("algorithm=SHA-256");
        assertThat(answer("MD5"))
                .contains("response=\"8ca523f5e9506fed4657c9700eebdbec\"")
                .contains("algorithm=MD5");
    }

    @Test
    void anAlgorithmThatIsNotOfferedIsAnError() {
        assertThatThrownBy(() -> answer("SHA-512"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no challenge for SHA-512");
    }
}
