package io.carillon.pojo.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns with stars, and whether two of them can match the same text. */
class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "abc, abc, true",
        "abc, abcd, false",
        "*, '', true",
        "a*c, abbc, true",
        "a*c, abb, false",
        "*a*b*, xxaxxbxx, true",
        "*ab, aab, true",
        "'', '', true",
    })
    void matches(String pattern, String text, boolean matches) {
        assertThat(new Glob(pattern).matches(text)).isEqualTo(matches);
    }

    /** Against all texts of three letters, for all small patterns that a seed gives. */
    @Test
    void twoPatternsIntersectWhenSomeTextMatchesBoth() {
        Random random = new Random(4);
        List<String> texts = texts(5);
        for (int i = 0; i < 2_000; i++) {
            Glob one = new Glob(pattern(random));
            Glob other = new Glob(pattern(random));
            boolean both = texts.stream().anyMatch(t -> one.matches(t) && other.matches(t));
            assertThat(one.intersects(other)).as("%s and %s", one, other).isEqualTo(both);
        }
    }

    private static String pattern(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(4);
        for (int i = 0; i < length; i++) {
            text.append("ab*".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    private static List<String> texts(int longest) {
        List<String> all = new ArrayList<>(List.of(""));
        int from = 0;
        for (int length = 1; length <= longest; length++) {
            int to = all.size();
            for (int i = from; i < to; i++) {
                all.add(all.get(i) + 'a');
                all.add(all.get(i) + 'b');
            }
            from = to;
        }
        return all;
    }
}
