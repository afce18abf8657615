package io.carillon.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** RFC 3261 16.3 item 5: what a 420 of a proxy names, and how much of it. */
class UnknownOptionsTest {
    @Test
    void eachIsNamedOnceWhateverItsCase() {
        assertThat(UnknownOptions.of(List.of("foo", "Bar", "FOO", "bar"), Set.of()))
                .isEqualTo("foo, Bar");
        assertThat(UnknownOptions.of(Collections.nCopies(3_500, "a"), Set.of())).isEqualTo("a");
    }

    @Test
    void whatIsUnderstoodIsNotNamed() {
        assertThat(UnknownOptions.of(List.of("Sec-Agree", "foo"), Set.of("sec-agree")))
                .isEqualTo("foo");
        assertThat(UnknownOptions.of(List.of("sec-agree"), Set.of("sec-agree"))).isNull();
    }

    @Test
    void sixteenAreNamedAndNoneOfMoreThan64Characters() {
        List<String> many = IntStream.range(0, 1000).mapToObj(i -> "opt" + i).toList();
        assertThat(UnknownOptions.of(many, Set.of()).split(", ")).hasSize(16).contains("opt15");
        assertThat(UnknownOptions.of(List.of("x".repeat(65), "y"), Set.of())).isEqualTo("y");
        // Refused all the same.
        assertThat(UnknownOptions.of(List.of("x".repeat(65)), Set.of())).isEmpty();
    }
}
