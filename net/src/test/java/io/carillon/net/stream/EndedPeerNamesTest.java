package io.carillon.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.guard.SourceKey;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Whose a name is when the connection that had it has ended. */
class EndedPeerNamesTest {
    private static final long SITE = source("192.0.2.1");
    private static final long OTHER = source("198.51.100.1");
    private static final int MOST = 40;
    private static final int PROVED = 30;

    private long now;
    private final EndedPeerNames names = new EndedPeerNames(MOST, 100, () -> now);

    private static long source(String address) {
        return SourceKey.of(InetAddress.ofLiteral(address));
    }

    private boolean mayTake(String name, long source) {
        return names.mayTake(name, source, 0);
    }

    @Test
    void aNameIsItsSourcesUntilItsTimeIsOver() {
        names.keep("a.invalid", SITE, true, 0);
        assertThat(mayTake("a.invalid", OTHER)).isFalse();
        assertThat(mayTake("a.invalid", SITE)).isTrue();
        now = 99;
        assertThat(mayTake("a.invalid", OTHER)).isFalse();
        now = 100;
        assertThat(mayTake("a.invalid", OTHER)).isTrue();
        assertThat(names.size()).isZero();
    }

    @Test
    void aNameIsItsUsersFromAnywhere() {
        names.keep("a.invalid", SITE, true, 7);
        assertThat(names.mayTake("a.invalid", OTHER, 8)).isFalse();
        assertThat(names.mayTake("a.invalid", OTHER, 7)).isTrue();
        names.keep("b.invalid", SITE, true, 0);
        assertThat(names.mayTake("b.invalid", OTHER, 0)).as("nobody is no user").isFalse();
    }

    @Test
    void whoLeavesManyNamesPushesOutHisOwn() {
        names.keep("honest.invalid", SITE, true, 0);
        for (int i = 0; i < 100; i++) {
            names.keep("n" + i + ".invalid", OTHER, true, 0);
        }
        assertThat(names.size()).isEqualTo(PROVED);
        assertThat(mayTake("honest.invalid", OTHER)).isFalse();
        assertThat(mayTake("n0.invalid", SITE)).as("the oldest is forgotten").isTrue();
        assertThat(mayTake("n99.invalid", SITE)).isFalse();
    }

    /** A site of many browsers is the source with most, where others have some names each. */
    @Test
    void strangersFromEverywherePushOutNoNameOfWhoBelongsHere() {
        for (int i = 0; i < 20; i++) {
            names.keep("site" + i + ".invalid", SITE, true, 0);
        }
        for (int i = 0; i < 1000; i++) {
            long stranger = source("10." + i / 250 + "." + i % 250 + ".1");
            names.keep("n" + i + ".invalid", stranger, false, 0);
        }
        assertThat(names.size()).isEqualTo(20 + MOST - PROVED);
        for (int i = 0; i < 20; i++) {
            assertThat(mayTake("site" + i + ".invalid", OTHER)).isFalse();
        }
    }

    /** One customer has 65,536 sources of IPv6. */
    @Test
    void theSourcesOfOneNetworkCountAsOne() {
        for (int i = 0; i < 20; i++) {
            names.keep("site" + i + ".invalid", SITE, true, 0);
        }
        for (int i = 0; i < 1000; i++) {
            long one = source("2001:db8:0:" + Integer.toHexString(i) + "::1");
            names.keep("n" + i + ".invalid", one, true, 0);
        }
        int kept = 0;
        for (int i = 0; i < 20; i++) {
            kept += mayTake("site" + i + ".invalid", OTHER) ? 0 : 1;
        }
        assertThat(kept).as("the half of the room is theirs").isEqualTo(PROVED / 2);
    }

    @Test
    void whatIsTakenAgainIsNotKept() {
        names.keep("a.invalid", SITE, true, 0);
        names.taken("a.invalid");
        assertThat(names.size()).isZero();
    }
}
