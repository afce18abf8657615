package io.carillon.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds the direction of dependencies of the design (docs/how-it-works/architecture.md); breaking
 * it fails the build.
 */
class ArchitectureTest {
    private static final String OURS = "io.carillon..";
    private static final String SIP = "io.carillon.sip..";
    private static final String NET = "io.carillon.net..";
    private static final String CLUSTER = "io.carillon.cluster..";
    private static final String ROUTER = "io.carillon.router..";
    private static final String TESTKIT = "io.carillon.testkit..";
    private static final String CONTAINER = "io.carillon.servlet..";
    private static final String PROTECTION = "io.carillon.protection..";
    private static final String TELEMETRY = "io.carillon.telemetry..";

    /** Of a web server that is Jetty, for the server and for Spring Boot applications. */
    private static final String JETTY_LIMITS = "io.carillon.protection.http..";

    private static final String SERVER = "io.carillon.server..";
    private static final String LAB = "io.carillon.lab..";
    private static final String BENCH = "io.carillon.bench..";
    private static final String IT = "io.carillon.it..";

    /** Packages that take the time as an argument and know no thread. */
    private static final String[] SANS_IO = {
        "io.carillon.sip.bytes..",
        "io.carillon.sip.uri..",
        "io.carillon.sip.header..",
        "io.carillon.sip.message..",
        "io.carillon.sip.codec..",
        "io.carillon.sip.time..",
        "io.carillon.sip.transaction..",
        "io.carillon.sip.dialog..",
        "io.carillon.sip.proxy..",
        "io.carillon.sip.hop..",
        "io.carillon.sip.feedback..",
        "io.carillon.sip.flow..",
        "io.carillon.sip.token..",
        "io.carillon.sip.observe..",
        "io.carillon.sip.event..",
        "io.carillon.sip.admission..",
        "io.carillon.sip.outbox..",
        "io.carillon.sip.core..",
        "io.carillon.sip.client..",
        "io.carillon.sip.shard..",
        "io.carillon.sip.server..",
        "io.carillon.sip.stack..",
        "io.carillon.cluster.link.."
    };

    /** The rooms of the stack, from the lowest: each knows those before it. */
    private static final List<String> STACK =
            List.of(
                    "hop",
                    "feedback",
                    "flow",
                    "token",
                    "observe",
                    "event",
                    "admission",
                    "outbox",
                    "core",
                    "client",
                    "shard",
                    "server",
                    "stack");

    /** More files than this are more than one room. */
    private static final int MOST_FILES = 20;

    /** Of the largest circle of types in the stack: {@code shard.RequestAttempt} and its user. */
    private static final int MOST_IN_A_CIRCLE = 12;

    /** What the stack is made of: layers above know its face alone. */
    private static final String[] INNER_TYPES = {
        "io.carillon.sip.outbox.Outbox",
        "io.carillon.sip.outbox.Replies",
        "io.carillon.sip.outbox.OwnMessages",
        "io.carillon.sip.event.ShardEvents",
        "io.carillon.sip.core.ShardCore",
        "io.carillon.sip.client.ClientTransactions",
        "io.carillon.sip.client.ClientInvite",
        "io.carillon.sip.client.ClientNonInvite",
        "io.carillon.sip.shard.ClientSide",
        "io.carillon.sip.shard.RequestPrinter",
        "io.carillon.sip.shard.ResponseIntake",
        "io.carillon.sip.server.RequestIntake",
        "io.carillon.sip.server.ServerTransactions",
        "io.carillon.sip.server.UasReliability",
        "io.carillon.sip.admission.AdmissionControl",
        "io.carillon.sip.admission.OpenBytes",
        "io.carillon.sip.admission.SourceShares"
    };

    private static JavaClasses carillon;

    @BeforeAll
    static void importClasses() {
        carillon =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.carillon");
    }

    @Test
    void sipKnowsTheJdkOnly() {
        check(
                classes()
                        .that()
                        .resideInAPackage(SIP)
                        .should()
                        .onlyDependOnClassesThat(
                                resideInAnyPackage(
                                        SIP, "java..", "javax.crypto..", "org.jspecify..")));
    }

    /** The load must not share the container with the server under test. */
    @Test
    void theLabKnowsCoreAndNetworkOnly() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage(LAB)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(CONTAINER, PROTECTION, SERVER, TESTKIT, BENCH, IT));
    }

    @Test
    void sipDoesNoInputOrOutput() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage(SIP)
                        .should()
                        .dependOnClassesThat(
                                resideInAnyPackage(
                                                "java.net..",
                                                "java.nio.channels..",
                                                "java.nio.file..")
                                        .and(
                                                not(
                                                        belongToAnyOf(
                                                                InetAddress.class,
                                                                InetAddress[].class,
                                                                InetSocketAddress.class)))
                                        .and(not(networkValue()))));
    }

    @Test
    void theCoreReadsNoClockStartsNoThreadTakesNoLock() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(SANS_IO)
                        .should()
                        .callMethod(System.class, "nanoTime")
                        .orShould()
                        .callMethod(System.class, "currentTimeMillis")
                        .orShould()
                        .dependOnClassesThat(
                                belongToAnyOf(Clock.class, Thread.class, ThreadLocalRandom.class)
                                        .or(resideInAnyPackage("java.util.concurrent.locks.."))
                                        .or(threadPool())));
    }

    /** Room to scan and print in, which nothing reads after the call; no state. */
    @Test
    void whatTheCoreKeepsByThreadIsScratchRoomAlone() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(SANS_IO)
                        .and()
                        .doNotHaveFullyQualifiedName("io.carillon.sip.uri.Uri")
                        .and()
                        .doNotHaveFullyQualifiedName("io.carillon.sip.header.Scans")
                        .and()
                        .doNotHaveFullyQualifiedName("io.carillon.sip.message.PrintSpace")
                        .should()
                        .dependOnClassesThat(belongToAnyOf(ThreadLocal.class)));
    }

    @Test
    void theCoreTakesItsRandomnessFromOutside() {
        check(
                noClasses()
                        .that()
                        .resideInAnyPackage(SANS_IO)
                        .should()
                        .callConstructor(Random.class));
    }

    /** By what the compiler made: packages that nobody named in the source are seen too. */
    @Test
    void packagesHaveNoCycles() {
        check(slices().assignedFrom(new EachPackage()).should().beFreeOfCycles());
    }

    @Test
    void roomsOfTheStackKnowThoseBelowThem() {
        for (int i = 0; i < STACK.size(); i++) {
            String[] above =
                    STACK.subList(i + 1, STACK.size()).stream()
                            .map(room -> "io.carillon.sip." + room + "..")
                            .toArray(String[]::new);
            if (above.length > 0) {
                check(
                        noClasses()
                                .that()
                                .resideInAPackage("io.carillon.sip." + STACK.get(i) + "..")
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(above));
            }
        }
    }

    @Test
    void aRoomOfTheStackHasNoMoreFilesThanARoomMayHave() {
        for (String room : STACK) {
            assertThat(files("io.carillon.sip." + room)).as(room).isBetween(2L, (long) MOST_FILES);
        }
    }

    @Test
    void noCircleOfTypesInTheStackIsLargerThanThatOfARequestAndItsUser() {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass type : carillon) {
            if (ofTheStack(type)) {
                Set<String> names = known.computeIfAbsent(file(type), file -> new TreeSet<>());
                type.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(ArchitectureTest::ofTheStack)
                        .forEach(target -> names.add(file(target)));
            }
        }
        assertThat(largestCircle(known)).hasSizeLessThanOrEqualTo(MOST_IN_A_CIRCLE);
    }

    /** Files from which each leads to each; the largest such set. */
    private static Set<String> largestCircle(Map<String, Set<String>> known) {
        Map<String, Set<String>> reached = new TreeMap<>();
        for (String file : known.keySet()) {
            Set<String> seen = new TreeSet<>();
            Deque<String> open = new ArrayDeque<>(known.get(file));
            while (!open.isEmpty()) {
                String next = open.pop();
                if (seen.add(next)) {
                    open.addAll(known.getOrDefault(next, Set.of()));
                }
            }
            reached.put(file, seen);
        }
        Set<String> largest = Set.of();
        for (Map.Entry<String, Set<String>> each : reached.entrySet()) {
            Set<String> circle = new TreeSet<>(each.getValue());
            circle.removeIf(other -> !reached.get(other).contains(each.getKey()));
            largest = circle.size() > largest.size() ? circle : largest;
        }
        return largest;
    }

    private static long files(String room) {
        return carillon.stream()
                .filter(type -> type.getPackageName().equals(room))
                .map(ArchitectureTest::file)
                .filter(file -> !file.endsWith("package-info"))
                .distinct()
                .count();
    }

    private static boolean ofTheStack(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith("io.carillon.sip.")
                && STACK.contains(name.substring("io.carillon.sip.".length()));
    }

    private static String file(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    @Test
    void whatTheStackIsMadeOfIsKnownInSipAlone() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage(SIP)
                        .should()
                        .dependOnClassesThat()
                        .haveNameMatching(String.join("|", INNER_TYPES).replace(".", "\\.")));
    }

    /** A server without a cluster loads none of it, and another grid could take its place. */
    @Test
    void whatTheGridIsMadeOfIsKnownInTheGridAlone() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.carillon.grid..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.infinispan..", "org.jgroups.."));
    }

    @Test
    void netAndContainerNeverSeeEachOther() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage(NET)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(CONTAINER));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(CONTAINER)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(NET));
    }

    @Test
    void dependenciesPointUpwardsInTheTableOfTheDesign() {
        check(onlyKnows(CLUSTER));
        check(onlyKnows(NET, CLUSTER));
        check(onlyKnows(ROUTER, NET, CLUSTER));
        check(onlyKnows(TESTKIT));
        check(onlyKnows(CONTAINER));
        check(onlyKnows(PROTECTION, NET, CONTAINER));
        check(onlyKnows(TELEMETRY, CONTAINER));
        check(
                noClasses()
                        .that()
                        .resideInAPackage(SERVER)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(TESTKIT, BENCH, IT));
    }

    @Test
    void heavyLibrariesStayWhereTheyBelong() {
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(NET, BENCH)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.netty.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(SERVER, BENCH)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("io.micrometer..", "org.apache.logging.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.carillon.telemetry.otlp..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.opentelemetry.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(SERVER, BENCH, JETTY_LIMITS)
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("org.eclipse.jetty.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(SERVER, LAB, BENCH, IT)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("picocli.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                SERVER, LAB, BENCH, IT, "io.carillon.telemetry.records..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("tools.jackson.."));
    }

    /** Each package is a slice of its own, those below it are others. */
    private record EachPackage() implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return resideInAnyPackage(OURS).test(type)
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    private static ArchRule onlyKnows(String module, String... below) {
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.carillon..")
                                .and(not(resideInAnyPackage(module, SIP)))
                                .and(not(resideInAnyPackage(below))));
    }

    /** Names for addresses: values, although they live in java.net. */
    private static DescribedPredicate<JavaClass> networkValue() {
        return belongToAnyOf(
                java.net.Inet4Address.class,
                java.net.Inet6Address.class,
                java.net.SocketAddress.class,
                java.net.UnknownHostException.class);
    }

    private static DescribedPredicate<JavaClass> threadPool() {
        return DescribedPredicate.describe(
                "executors that have threads",
                type ->
                        type.isAssignableTo(Executor.class)
                                && type.getPackageName().startsWith("java.")
                                && !type.isEquivalentTo(Executor.class));
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(carillon);
    }
}
