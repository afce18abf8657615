package io.carillon.servlet.members;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the tests say that they prove, and what nobody proves yet. */
final class Proofs {
    static final String PENDING = "pending-members.txt";

    private Proofs() {}

    /** The tests of each named member, in the order of their names. */
    static SortedMap<String, List<Method>> byMember() throws Exception {
        SortedMap<String, List<Method>> proofs = new TreeMap<>();
        for (Class<?> type : ClassFolder.beside(Proofs.class)) {
            for (Method method : type.getDeclaredMethods()) {
                Proves proves = method.getAnnotation(Proves.class);
                if (proves != null) {
                    for (String member : proves.value()) {
                        proofs.computeIfAbsent(member, name -> new ArrayList<>()).add(method);
                    }
                }
            }
        }
        proofs.values().forEach(tests -> tests.sort((a, b) -> test(a).compareTo(test(b))));
        return proofs;
    }

    static String test(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** The members that have no test yet: one name a line, "#" and a blank begin a remark. */
    static SortedSet<String> pending() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (String line : lines(PENDING)) {
            if (!line.isBlank() && !line.startsWith("# ")) {
                names.add(line.strip());
            }
        }
        return names;
    }

    static List<String> lines(String resource) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(Proofs.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
