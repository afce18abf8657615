package io.carillon.servlet.members;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The tests that say that they prove a member.
 *
 * @param about those that are about it; one, unless somebody made a mistake
 * @param also those that prove it besides
 */
record Proofs(List<Method> about, List<Method> also) {
    static final String PENDING = "pending-members.txt";

    /** The tests of each named member, in the order of their names. */
    static SortedMap<String, Proofs> byMember() throws Exception {
        SortedMap<String, Proofs> proofs = new TreeMap<>();
        for (Class<?> type : ClassFolder.beside(Proofs.class)) {
            for (Method method : type.getDeclaredMethods()) {
                Proves proves = method.getAnnotation(Proves.class);
                if (proves != null) {
                    for (String member : proves.value()) {
                        of(member, proofs).about.add(method);
                    }
                    for (String member : proves.also()) {
                        of(member, proofs).also.add(method);
                    }
                }
            }
        }
        for (Proofs tests : proofs.values()) {
            tests.about.sort(Comparator.comparing(Proofs::test));
            tests.also.sort(Comparator.comparing(Proofs::test));
        }
        return proofs;
    }

    private static Proofs of(String member, SortedMap<String, Proofs> proofs) {
        return proofs.computeIfAbsent(
                member, name -> new Proofs(new ArrayList<>(), new ArrayList<>()));
    }

    /** All of them, the one about the member first. */
    List<Method> all() {
        return Stream.concat(about.stream(), also.stream()).toList();
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
