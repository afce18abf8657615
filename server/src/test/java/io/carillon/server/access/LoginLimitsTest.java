package io.carillon.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginLimitsTest {
    private long now = 1;
    private final LoginLimits limits = new LoginLimits(() -> now);

    @Test
    void aThousandGuessesOfOneSourceAreTen() {
        int looked = 0;
        for (int i = 0; i < 1_000; i++) {
            looked += limits.guess("192.0.2.1", "anna", "") == 0 ? 1 : 0;
        }
        assertThat(looked).isEqualTo(10);
        assertThat(limits.refused()).isEqualTo(990);
        assertThat(limits.guess("192.0.2.2", "anna", "")).as("from elsewhere").isZero();
        now += TimeUnit.SECONDS.toNanos(30);
        assertThat(limits.guess("192.0.2.1", "anna", "")).as("later").isZero();
        assertThat(limits.guess("192.0.2.1", "anna", "")).isPositive();
    }

    @Test
    void aBrowserThatHasBeenThereIsNotLockedOutByOthers() {
        for (int source = 0; source < 500; source++) {
            for (int i = 0; i < 20; i++) {
                limits.guess("192.0." + source + ".1", "anna", "");
            }
        }
        assertThat(limits.guess("192.0.2.1", "anna", "")).isPositive();
        assertThat(limits.guess("192.0.2.1", "anna", "browser")).isZero();
        limits.right("192.0.2.1", "anna", "browser");
        for (int i = 0; i < 50; i++) {
            assertThat(limits.guess("192.0.2.1", "anna", "browser")).isZero();
            limits.right("192.0.2.1", "anna", "browser");
        }
    }

    @Test
    void manySourcesTogetherHaveABoundAndSoHasWhatIsRemembered() {
        int looked = 0;
        for (int i = 0; i < 100_000; i++) {
            looked += limits.guess("source " + i, "account " + i, "") == 0 ? 1 : 0;
        }
        assertThat(looked).isEqualTo(100);
        assertThat(limits.size()).isLessThanOrEqualTo(10_000);
    }

    @Test
    void whoGuessesRightHasNotGuessed() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(limits.guess("192.0.2.1", "anna", "")).isZero();
            limits.right("192.0.2.1", "anna", "");
        }
    }

    @Test
    void aMarkIsOfOneAccountAndCannotBeMade() {
        KnownBrowser browsers = new KnownBrowser();
        String mark = browsers.mark("anna");

        assertThat(browsers.name(mark, "anna")).isNotEmpty();
        assertThat(browsers.name(mark, "bert")).isEmpty();
        assertThat(browsers.name("x" + mark, "anna")).isEmpty();
        assertThat(browsers.name("", "anna")).isEmpty();
        assertThat(new KnownBrowser().name(mark, "anna")).isEmpty();
    }
}
