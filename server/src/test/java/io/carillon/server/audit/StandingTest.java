package io.carillon.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A line of the audit log says who was changed, however many there are. */
class StandingTest {
    private static final String ZOE = "{\"name\":\"zoe\",\"roles\":[\"viewer\"]}";
    private static final String ZOE_LATER = "{\"name\":\"zoe\",\"roles\":[\"admin\"]}";

    private static String list(String last) {
        return IntStream.range(0, 500)
                .mapToObj(i -> "{\"name\":\"user" + i + "\",\"roles\":[\"viewer\"]}")
                .collect(Collectors.joining(",", "[", last.isEmpty() ? "]" : "," + last + "]"));
    }

    @Test
    void beforeAChangeItIsWhomItIsAbout() {
        assertThat(Standing.of(list(ZOE), "zoe")).isEqualTo("[" + ZOE + "]");
        assertThat(Standing.of(list(""), "zoe")).isEqualTo("[]");
        String ban = "[{\"address\":\"2001:db8:0:1:0:0:0:0/64\"}]";
        assertThat(Standing.of(ban, "2001:db8:0:1:0:0:0:0")).isEqualTo(ban);
        assertThat(Standing.of("[1, 2]", "")).as("about all").isEqualTo("[1, 2]");
    }

    @Test
    void afterAChangeItIsWhatIsNewOrAnother() {
        assertThat(Standing.changed(list(ZOE), list(ZOE_LATER), ""))
                .isEqualTo("[" + ZOE_LATER + "]");
        assertThat(Standing.changed(list(""), list(ZOE), "")).isEqualTo("[" + ZOE + "]");
        assertThat(Standing.changed(list(ZOE), list(""), "")).as("taken away").isEqualTo("[]");
    }

    /** Applications say how many calls they have, which changes by itself. */
    @Test
    void whatIsCountedOfOthersIsNoChange() {
        String before = "[{\"name\":\"uas\",\"calls\":1},{\"name\":\"proxy\",\"calls\":5}]";
        String after = "[{\"name\":\"uas\",\"calls\":0},{\"name\":\"proxy\",\"calls\":6}]";
        assertThat(Standing.changed(before, after, "uas"))
                .isEqualTo("[{\"name\":\"uas\",\"calls\":0}]");
        assertThat(Standing.changed("[]", after, "uas")).isEqualTo(after);
    }

    @Test
    void whatIsNoListStaysAsItIs() {
        assertThat(Standing.of("warn", "zoe")).isEqualTo("warn");
        assertThat(Standing.of("{\"level\":\"warn\"}", "zoe")).isEqualTo("{\"level\":\"warn\"}");
        assertThat(Standing.changed("debug", "warn", "x")).isEqualTo("warn");
        assertThat(Standing.changed(null, "[1]", "")).isEqualTo("[1]");
        assertThat(Standing.of(null, "zoe")).isNull();
    }
}
