package io.carillon.sip.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client and a server with a capacity, who tell each other: what is asked for settles. */
class DemandTest {
    private static final int CAPACITY = 100;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Throttle client = new Throttle(7, 0);
    private final Demand server = new Demand(1_764_000_000_000L, 0);
    private final SplittableRandom random = new SplittableRandom(1);

    private long now;
    private double room = CAPACITY / 10.0;
    private int offered;
    private int sent;
    private int served;
    private int refused;

    /** Calls at random, each with a request in its dialog when it is served. */
    private void run(OcAlgorithm algorithm, int perSecond, int seconds) {
        offered = 0;
        sent = 0;
        served = 0;
        refused = 0;
        for (int i = 0; i < seconds * 1_000; i++) {
            now += MILLI;
            room = Math.min(CAPACITY / 10.0, room + CAPACITY / 1_000.0);
            if (random.nextDouble() >= perSecond / 1_000.0) {
                continue;
            }
            offered++;
            if (!client.admits(Throttle.Category.FIRST, now)) {
                continue;
            }
            sent++;
            if (room < 1) {
                refused++;
                server.refused(now);
            } else {
                room--;
                served++;
                server.came(true, now);
                if (client.admits(Throttle.Category.SECOND, now)) {
                    server.came(false, now);
                }
            }
            client.heard(server.told(algorithm, now), now);
        }
    }

    @ParameterizedTest
    @EnumSource(OcAlgorithm.class)
    void moreThanItsCapacityIsHeldBackByTheClient(OcAlgorithm algorithm) {
        for (int factor : new int[] {2, 5, 9}) {
            run(algorithm, factor * CAPACITY, 5);
            run(algorithm, factor * CAPACITY, 20);
            assertThat(served).as("served of 2,000").isGreaterThan(1_800);
            assertThat(refused).as("refused by the server").isLessThan(served / 3);
        }
    }

    @ParameterizedTest
    @EnumSource(OcAlgorithm.class)
    void whatIsBelowItsCapacityIsNotHeldBack(OcAlgorithm algorithm) {
        run(algorithm, CAPACITY * 7 / 10, 20);
        assertThat(sent).isGreaterThan(offered * 97 / 100);
    }

    @ParameterizedTest
    @EnumSource(OcAlgorithm.class)
    void fiveSecondsAfterTheLoadHasFallenAllIsSent(OcAlgorithm algorithm) {
        run(algorithm, 9 * CAPACITY, 20);
        run(algorithm, CAPACITY / 2, 5);
        run(algorithm, CAPACITY / 2, 10);
        assertThat(sent).isEqualTo(offered);
    }
}
