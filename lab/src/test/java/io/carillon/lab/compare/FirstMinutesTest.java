package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.process.Disturbance;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What a server's first minutes come to. */
class FirstMinutesTest {
    private static FirstMinutes of(String server, double... micros) {
        List<FirstMinutes.Minute> minutes =
                Arrays.stream(micros)
                        .mapToObj(each -> new FirstMinutes.Minute(each, new Disturbance(0, 0.01)))
                        .toList();
        return new FirstMinutes(server, minutes, 0, 0);
    }

    @Test
    void theSecondMinuteIsComparedWithTheLast() {
        FirstMinutes minutes = of("carillon", 900, 120, 110, 100);
        assertThat(minutes.ratio()).isEqualTo(1.2);
        assertThat(minutes.verdict(1.15))
                .isEqualTo(
                        "carillon: the second minute costs 1.20 of the last (limit 1.15),"
                                + " 0 calls failed, 0 messages sent again");
        assertThatThrownBy(() -> of("carillon", 900)).hasMessage("no second minute");
    }

    @Test
    void aCallThatFailedOrAMessageThatWasRepeatedIsNotClean() {
        List<FirstMinutes.Minute> minutes = of("carillon", 2, 1).minutes();
        assertThat(new FirstMinutes("carillon", minutes, 0, 0).clean()).isTrue();
        assertThat(new FirstMinutes("carillon", minutes, 1, 0).clean()).isFalse();
        assertThat(new FirstMinutes("carillon", minutes, 0, 1).clean()).isFalse();
    }

    @Test
    void eachServerHasAColumnAndABusyMinuteAnAsterisk() {
        FirstMinutes busy =
                new FirstMinutes(
                        "kamailio",
                        List.of(
                                new FirstMinutes.Minute(99.6, new Disturbance(0, 0)),
                                new FirstMinutes.Minute(98, new Disturbance(0.06, 0)),
                                new FirstMinutes.Minute(97, new Disturbance(0, 0.07))),
                        0,
                        0);
        assertThat(FirstMinutes.table(List.of(of("carillon", 300, 120), busy)))
                .isEqualTo(
                        """
                        | Minute | carillon | kamailio |
                        | --- | --- | --- |
                        | 1 | 300 us | 100 us |
                        | 2 | 120 us | 98 us * |
                        | 3 |  | 97 us * |
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--minutes=1",
                "--limit=0",
                "--rate=0",
                "--peers=carillon,traced",
                "--server-argument=--jvm=-Xmx1g"
            })
    void whatCannotBeIsRefused(String argument) {
        assertThat(new CommandLine(new FirstMinutesCommand()).execute(argument)).isEqualTo(2);
    }
}
