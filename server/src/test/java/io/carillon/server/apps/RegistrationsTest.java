package io.carillon.server.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RegistrationsTest {
    private static ServletContext context(@Nullable Object attribute) {
        return (ServletContext)
                Proxy.newProxyInstance(
                        RegistrationsTest.class.getClassLoader(),
                        new Class<?>[] {ServletContext.class},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("getAttribute");
                            return Registrations.ATTRIBUTE.equals(arguments[0]) ? attribute : null;
                        });
    }

    /** A registrar of so many contacts. */
    private static Function<Map<String, String>, List<Map<String, String>>> registrar(int count) {
        return question -> {
            List<Map<String, String>> rows = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String place = String.format("%03d", i);
                if (place.compareTo(question.get("after")) > 0
                        && rows.size() < Integer.parseInt(question.get("limit"))) {
                    rows.add(Map.of("place", place, "aor", "sip:" + i, "contact", "x"));
                }
            }
            return rows;
        };
    }

    @Test
    void pagesGoThroughAllRegistrars() throws Exception {
        Registrations all =
                new Registrations(() ->
                        Map.of(
                                "one", context(registrar(5)),
                                "other", context(null),
                                "two", context(registrar(4))));
        List<String> seen = new ArrayList<>();
        String after = "";
        while (after != null) {
            Registrations.Page page = all.list("", 2, after);
            assertThat(page.registrars()).containsExactly("one", "two");
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(2);
            page.rows().forEach(row -> seen.add(row.application() + " " + row.aor()));
            after = page.next();
        }
        assertThat(seen)
                .containsExactly(
                        "one sip:0",
                        "one sip:1",
                        "one sip:2",
                        "one sip:3",
                        "one sip:4",
                        "two sip:0",
                        "two sip:1",
                        "two sip:2",
                        "two sip:3");
    }

    @Test
    void withoutARegistrarThereIsNobody() throws Exception {
        Registrations none = new Registrations(() -> Map.of("uas", context("no function")));
        assertThat(none.list("", 10, "").registrars()).isEmpty();
        assertThat(none.list("", 10, "").rows()).isEmpty();
    }

    @Test
    void oneThatFailsIsNamed() {
        Function<Object, Object> broken =
                question -> {
                    throw new IllegalStateException("no database");
                };
        Registrations all = new Registrations(() -> Map.of("one", context(broken)));
        assertThatThrownBy(() -> all.list("", 10, ""))
                .isInstanceOf(Registrations.Failure.class)
                .hasMessageContaining("one")
                .hasMessageContaining("no database");
    }
}
