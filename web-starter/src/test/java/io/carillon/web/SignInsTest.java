package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who waits for how long; all in virtual time. */
class SignInsTest {
    private static final long MINUTE = 60_000;

    private long now = 1_000_000;

    private final SignIns signIns =
            new SignIns(
                    new Passwords(
                            Map.of(
                                    "alice",
                                    new WebProperties.Account("{noop}secret", "sip:alice@a"))),
                    Duration.ofHours(8),
                    () -> now);

    /** 201, or what the refusal says. */
    private int signIn(String user, String password, String source) {
        ApiProblem refused =
                catchThrowableOfType(
                        ApiProblem.class, () -> signIns.signIn(user, password, source));
        return refused == null ? 201 : refused.getStatusCode().value();
    }

    /** Wrong tries in that time, as fast as they are let. */
    private int guesses(String user, String source, long millis) {
        int made = 0;
        for (long end = now + millis; now < end; now += 100) {
            made += signIn(user, "wrong", source) == 401 ? 1 : 0;
        }
        return made;
    }

    @Test
    void eachWrongTryOfASourceMakesTheNextWaitLonger() {
        assertThat(guesses("alice", "10.0.0.1", MINUTE)).isBetween(11, 17);
        assertThat(guesses("bob", "10.0.0.1", 60 * MINUTE)).as("whoever is guessed").isLessThan(20);
        assertThat(signIns.refused()).isPositive();
    }

    @Test
    void manySourcesThatGuessOnePasswordWaitForEachOther() {
        int made = 0;
        for (int i = 0; i < 36_000; i++, now += 100) {
            made += signIn("alice", "wrong", "10.1." + i / 250 + "." + i % 250) == 401 ? 1 : 0;
        }
        assertThat(made).as("in an hour").isLessThan(150);
    }

    @Test
    void everyWaitEnds() {
        for (int i = 0; i < 60; i++) {
            signIn("alice", "wrong", "10.0.0.1");
        }
        assertThat(signIn("alice", "secret", "10.0.0.1")).isEqualTo(429);
        now += 5 * MINUTE;
        assertThat(signIn("alice", "secret", "10.0.0.1")).isEqualTo(201);
    }

    @Test
    void aUserWhereHeUsuallyIsIsNotKeptOutByOthers() {
        assertThat(signIn("alice", "secret", "10.0.0.7")).isEqualTo(201);
        for (int i = 0; i < 40; i++) {
            signIn("alice", "wrong", "10.0.1." + i);
        }
        assertThat(signIn("alice", "secret", "10.0.2.1")).as("elsewhere").isEqualTo(429);
        assertThat(signIn("alice", "secret", "10.0.0.7")).isEqualTo(201);
    }

    @Test
    void aSignInOfOnesOwnBuysNoGuessesAtOthers() {
        for (int i = 0; i < 11; i++) {
            signIn("bob" + i, "wrong", "10.0.0.9");
            signIn("alice", "secret", "10.0.0.9");
        }
        assertThat(signIn("bob", "wrong", "10.0.0.9")).isEqualTo(429);
    }

    @Test
    void whoeverHasOneAddressOfANetworkOfIpv6HasThemAll() {
        for (int i = 0; i < 11; i++) {
            signIn("bob" + i, "wrong", "2001:db8::" + i);
        }
        assertThat(signIn("bob", "wrong", "2001:db8::ffff")).isEqualTo(429);
        assertThat(signIn("bob", "wrong", "2001:db8:0:1::1")).isEqualTo(401);
    }

    @Test
    void namesThatAreNoUsersWaitAsUsersDo() {
        for (int i = 0; i < 30; i++) {
            assertThat(signIn("alice", "wrong", "10.0.3." + i))
                    .isEqualTo(signIn("nobody", "wrong", "10.0.4." + i));
        }
        assertThat(signIn("nobody", "wrong", "10.0.5.1")).isEqualTo(429);
        assertThat(signIn("alice", "wrong", "10.0.5.1")).isEqualTo(429);
    }

    @Test
    void whatIsRememberedOfGuessersIsBounded() {
        Waits waits = new Waits(1, MINUTE, MINUTE, 100);
        for (int i = 0; i < 1_000; i++) {
            waits.wrong("source" + i, now);
        }
        assertThat(waits.size()).isEqualTo(100);
    }
}
