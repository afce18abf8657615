package io.carillon.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private long now = 1;
    private final Sessions sessions =
            new Sessions(Duration.ofMinutes(30), Duration.ofHours(12), () -> now);

    private Session begin(String account) {
        return sessions.begin(account, "password", "stamp", List.of());
    }

    @Test
    void anUnusedOneIsOverAndAnyIsInTheEnd() {
        Session idle = begin("anna");
        Session used = begin("anna");
        for (int i = 0; i < 24; i++) {
            now += 29 * MINUTE;
            assertThat(sessions.find(used.id(), true)).isSameAs(used);
        }
        assertThat(sessions.find(idle.id(), true)).isNull();
        now += 29 * MINUTE;
        assertThat(sessions.find(used.id(), true)).isNull();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void lookingDoesNotKeepItAlive() {
        Session one = begin("anna");
        for (int i = 0; i < 31; i++) {
            sessions.find(one.id(), false);
            now += MINUTE;
        }
        assertThat(sessions.find(one.id(), false)).isNull();
    }

    @Test
    void anAccountHasABoundAndSoHaveAll() {
        List<Session> own = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            now++;
            own.add(begin("anna"));
        }
        assertThat(sessions.size()).isEqualTo(32);
        assertThat(sessions.find(own.getFirst().id(), true)).isNull();
        assertThat(sessions.find(own.getLast().id(), true)).isNotNull();
        for (int i = 0; i < 5_000; i++) {
            now++;
            begin("account " + i);
        }
        assertThat(sessions.size()).isEqualTo(2_000);
    }

    @Test
    void allOfAnAccountEndTogether() {
        Session one = begin("anna");
        Session other = begin("bert");

        sessions.endAll("anna");

        assertThat(sessions.find(one.id(), true)).isNull();
        assertThat(sessions.find(other.id(), true)).isSameAs(other);
    }
}
