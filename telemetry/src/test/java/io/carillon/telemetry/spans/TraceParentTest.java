package io.carillon.telemetry.spans;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** W3C Trace Context, level 1, section 3.2. */
class TraceParentTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String GOOD = "00-" + TRACE + "-b7ad6b7169203331-01";

    @Test
    void itSaysTraceSpanAndWhetherItIsKept() {
        TraceParent read = TraceParent.parse(GOOD);
        assertThat(read)
                .isEqualTo(
                        new TraceParent(
                                0x0af7651916cd43ddL,
                                0x8448eb211c80319cL,
                                0xb7ad6b7169203331L,
                                true));
        assertThat(String.valueOf(read)).isEqualTo(GOOD);
        assertThat(TraceParent.parse(GOOD.replace("-01", "-02")))
                .satisfies(one -> assertThat(one.sampled()).isFalse());
    }

    @Test
    void aLaterVersionIsReadAsFarAsThisOneGoes() {
        assertThat(TraceParent.parse("cc-" + TRACE + "-b7ad6b7169203331-01-what-comes"))
                .isNotNull();
        assertThat(TraceParent.parse("cc-" + TRACE + "-b7ad6b7169203331-01.what")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-" + TRACE + "-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-" + TRACE + "-b7ad6b7169203331-01-more",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-" + TRACE + "-b7ad6b716920333g-01",
                "00_" + TRACE + "-b7ad6b7169203331-01",
                "00-" + TRACE + "-b7ad6b7169203331-0"
            })
    void whatIsWrongIsNone(String text) {
        assertThat(TraceParent.parse(text)).isNull();
    }
}
