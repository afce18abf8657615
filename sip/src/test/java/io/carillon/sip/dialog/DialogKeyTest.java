package io.carillon.sip.dialog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class DialogKeyTest {
    /** Texts of one hash code, as a peer can choose them for its Call-ID and tag. */
    private static List<String> colliding(int bits) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 1 << bits; i++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < bits; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            all.add(text.toString());
        }
        return all;
    }

    @Test
    void keysOfOneHashCodeHaveAnOrderByWhichATableFindsThem() {
        ConcurrentHashMap<DialogKey, Integer> table = new ConcurrentHashMap<>();
        List<String> texts = colliding(14);
        for (int i = 0; i < texts.size(); i++) {
            table.put(new DialogKey(texts.get(i), "t", texts.get(i)), i);
        }
        assertThat(table.keySet())
                .extracting(DialogKey::hashCode)
                .containsOnly(new DialogKey(texts.getFirst(), "t", texts.getFirst()).hashCode());
        assertThat(new TreeSet<>(table.keySet())).hasSize(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            assertThat(table.get(new DialogKey(texts.get(i), "t", texts.get(i)))).isEqualTo(i);
        }
    }

    @Test
    void theOrderAgreesWithEquality() {
        DialogKey one = new DialogKey("c", "l", "r");
        assertThat(one).isEqualByComparingTo(new DialogKey("c", "l", "r"));
        assertThat(one).isLessThan(new DialogKey("d", "a", "a"));
        assertThat(one).isLessThan(new DialogKey("c", "m", "a"));
        assertThat(one).isLessThan(new DialogKey("c", "l", "s"));
    }
}
