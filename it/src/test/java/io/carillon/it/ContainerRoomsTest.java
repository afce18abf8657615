package io.carillon.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The layers of the container (docs/how-it-works/architecture.md): sessions and messages below,
 * features above them, dispatch above those, and on top who composes them.
 */
class ContainerRoomsTest {
    private static final String SERVLET = "io.carillon.servlet";
    private static final String FEATURE = SERVLET + ".feature.";

    /** From the ground up; a package knows those before it only. The features are one layer. */
    private static final List<String> LAYERS =
            List.of(
                    "threads",
                    "turn",
                    "bytes",
                    "header",
                    "port",
                    "config",
                    "naming",
                    "app",
                    "route",
                    "kernel",
                    "feature",
                    "dispatch",
                    "check");

    /** Files that know each other in a circle, those of one package included. */
    private static final int MOST_OF_A_CIRCLE = 28;

    private static JavaClasses container;

    @BeforeAll
    static void importClasses() {
        container =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(SERVLET);
    }

    static Stream<String> layers() {
        return LAYERS.stream().filter(layer -> !layer.equals("naming") && !layer.equals("check"));
    }

    @ParameterizedTest
    @MethodSource("layers")
    void aLayerKnowsThoseBelowIt(String layer) {
        String[] above =
                LAYERS.subList(LAYERS.indexOf(layer) + 1, LAYERS.size()).stream()
                        .map(name -> SERVLET + '.' + name + "..")
                        .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(SERVLET + '.' + layer + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage(SERVLET)
                .allowEmptyShould(true)
                .check(container);
    }

    @Test
    void noFeatureKnowsAnother() {
        Set<String> wrong = new TreeSet<>();
        for (JavaClass type : container) {
            String own = feature(type.getPackageName());
            for (Dependency one : type.getDirectDependenciesFromSelf()) {
                String other = feature(one.getTargetClass().getPackageName());
                if (!own.isEmpty() && !other.isEmpty() && !own.equals(other)) {
                    wrong.add(type.getName() + " -> " + one.getTargetClass().getName());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static String feature(String name) {
        return name.startsWith(FEATURE) ? name.substring(FEATURE.length()) : "";
    }

    @Test
    void nobodyOfTheContainerKnowsWhoComposesIt() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SERVLET + ".SipContainer")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(SERVLET + ".SipContainer")
                .check(container);
    }

    @Test
    void theLargestCircleIsOfTheKernelAndBounded() {
        Set<String> largest = Set.of();
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass type : container) {
            Set<String> others = known.computeIfAbsent(file(type), name -> new TreeSet<>());
            for (Dependency one : type.getDirectDependenciesFromSelf()) {
                JavaClass target = one.getTargetClass();
                if (target.getPackageName().startsWith(SERVLET)) {
                    others.add(file(target));
                }
            }
        }
        for (String file : known.keySet()) {
            Set<String> reached = reached(known, file);
            reached.removeIf(other -> !reached(known, other).contains(file));
            if (reached.size() > largest.size()) {
                largest = reached;
            }
        }
        assertThat(largest).allMatch(file -> file.startsWith(SERVLET + ".kernel."));
        assertThat(largest).hasSizeLessThanOrEqualTo(MOST_OF_A_CIRCLE);
    }

    private static Set<String> reached(Map<String, Set<String>> known, String from) {
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (String next : known.getOrDefault(open.pop(), Set.of())) {
                if (reached.add(next)) {
                    open.push(next);
                }
            }
        }
        return reached;
    }

    /** The class that has the name of its file. */
    private static String file(JavaClass type) {
        JavaClass top = type.isArray() ? type.getBaseComponentType() : type;
        String name = top.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
