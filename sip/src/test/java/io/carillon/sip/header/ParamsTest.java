package io.carillon.sip.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of headers (RFC 3261 25.1, generic-param), however many there are. */
class ParamsTest {
    private static NameAddress address(String params) throws SipParseException {
        return NameAddress.parse("<sip:a@h>" + params);
    }

    private static List<String> names(Params params) {
        ListedParams all = params.listed();
        return IntStream.range(0, all.size()).mapToObj(all::name).toList();
    }

    private static String flags(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(";f").append(i);
        }
        return text.toString();
    }

    /** The rules are the same whether parameters are kept as objects or as text. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 40, 3_000})
    void anyNumberIsReadPrintedAndChangedByTheSameRules(int more) throws SipParseException {
        String others = flags(more);
        NameAddress read = address(" ;\tTag = x\r\n ;q=\"a;\\\"b\r\n  c\"" + others);
        assertThat(read.tag()).isEqualTo("x");
        assertThat(read.writtenTag()).isEqualTo("x");
        assertThat(read.param("Q")).isEqualTo("a;\"b c");
        assertThat(read.params().written("q")).isEqualTo("\"a;\\\"b c\"");
        assertThat(read.param("none")).isNull();
        assertThat(read.params().size()).isEqualTo(2 + more);
        assertThat(names(read.params())).startsWith("Tag", "q").hasSize(2 + more);
        String text = "<sip:a@h>;Tag=x;q=\"a;\\\"b c\"" + others;
        assertThat(read).hasToString(text);
        assertThat(read.params().mostBytes()).isGreaterThanOrEqualTo(text.length() - 9);
        if (more > 0) {
            assertThat(read.param("F" + (more - 1))).isEmpty();
            assertThat(read.params().has("f" + more)).isFalse();
            assertThat(read.params().written("f0")).isNull();
            assertThat(read.params().listed().flag(1 + more)).isTrue();
        }
        assertThat(read.withTag("y")).hasToString("<sip:a@h>;Tag=y;q=\"a;\\\"b c\"" + others);
        assertThat(read.withoutParam("Q")).hasToString("<sip:a@h>;Tag=x" + others);
        assertThat(read.withParam("new", "a b"))
                .hasToString("<sip:a@h>;Tag=x;q=\"a;\\\"b c\"" + others + ";new=\"a b\"");
        assertThat(read.withoutParam("none")).isEqualTo(read);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 100})
    void sameParametersAreEqualWhereverTheyComeFrom(int count) throws SipParseException {
        NameAddress made = address("");
        for (int i = 0; i < count; i++) {
            made = made.withParam("f" + i, null);
        }
        NameAddress read = address(flags(count));
        assertThat(made).isEqualTo(read).hasSameHashCodeAs(read);
        assertThat(read.withParam("g", null)).isNotEqualTo(read);
        assertThat(read.withParam("g", null).withoutParam("G"))
                .isEqualTo(read)
                .hasSameHashCodeAs(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"M\u00fcller", "\u20ac", "\udcfc"})
    void bytesThatAreNoAsciiComeBackAsTheyCame(String value) throws SipParseException {
        byte[] text = WireText.bytes("<sip:a@h>;x=" + value + ";y=\"" + value + "\";z;w");
        NameAddress read = NameAddress.parse(text, 0, text.length);
        assertThat(read.param("x")).isEqualTo(value);
        assertThat(read.param("y")).isEqualTo(value);
        assertThat(WireText.bytes(read.toString())).isEqualTo(text);
        assertThat(WireText.bytes(read.withParam("z", "1").withoutParam("w").toString()))
                .isEqualTo(WireText.bytes("<sip:a@h>;x=" + value + ";y=\"" + value + "\";z=1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;b", "a\"b", "a\\", "a=b", "<a>", "[::1]:5060", "a,b", " "})
    void anyValueThatIsSetIsReadBackBesideMany(String value) throws SipParseException {
        NameAddress set = address(flags(9)).withParam("v", value).withParam("after", "1");
        assertThat(set.param("v")).isEqualTo(value);
        assertThat(set.param("after")).isEqualTo("1");
        assertThat(NameAddress.parse(set.toString())).isEqualTo(set);
    }
}
