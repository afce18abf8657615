package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordsTest {
    private static Passwords of(String password) {
        return new Passwords(Map.of("alice", new WebProperties.Account(password, "sip:alice@a")));
    }

    @Test
    void whatIsEncodedMatchesAndNothingElse() {
        String encoded = Passwords.encode("secret");
        assertThat(encoded).startsWith("{bcrypt}$2a$10$");
        assertThat(encoded).isNotEqualTo(Passwords.encode("secret")); // a salt of its own
        Passwords passwords = of(encoded);
        assertThat(passwords.match("alice", "secret")).isTrue();
        assertThat(passwords.match("alice", "Secret")).isFalse();
        assertThat(passwords.match("alice", "")).isFalse();
        assertThat(passwords.match("bob", "secret")).isFalse();
        assertThat(passwords.match("bob", "nobody")).isFalse();
    }

    @Test
    void aPlainPasswordIsMarkedAsOne() {
        assertThat(of("{noop}secret").match("alice", "secret")).isTrue();
        assertThat(of("{noop}secret").match("alice", "{noop}secret")).isFalse();
        assertThat(of("{noop}secret").match("bob", "nobody")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "sha256:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
                "{bcrypt}secret",
                "{MD5}5ebe2294ecd0e0f08eab7690d2a6ee69",
                "{noop}",
                "{}secret",
                ""
            })
    void anyOtherFormEndsTheStartAndIsNotRepeated(String password) {
        assertThatThrownBy(() -> of(password))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("carillon.web.accounts.alice.password is not in the form")
                .hasMessageNotContaining("5ebe2294")
                .hasMessageNotContaining("2bb80d53");
    }
}
