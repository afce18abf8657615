package io.carillon.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Holds the direction of dependencies of the design (docs/architecture.md); breaking it fails the
 * build.
 */
class ArchitectureTest {
    private static final String SIP = "io.carillon.sip..";
    private static final String NET = "io.carillon.net..";
    private static final String TESTKIT = "io.carillon.testkit..";
    private static final String CONTAINER = "io.carillon.servlet..";
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
        "io.carillon.sip.stack.."
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
                        .resideInAnyPackage(CONTAINER, SERVER, TESTKIT, BENCH, IT));
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

    @Test
    void packagesOfSipHaveNoCycles() {
        check(slices().matching("io.carillon.sip.(*)..").should().beFreeOfCycles());
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
        check(onlyKnows(NET));
        check(onlyKnows(TESTKIT));
        check(onlyKnows(CONTAINER));
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
                        .resideInAnyPackage(
                                "org.eclipse.jetty..", "io.micrometer..", "org.apache.logging.."));
        check(
                noClasses()
                        .that()
                        .resideOutsideOfPackages(SERVER, LAB, BENCH, IT)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("picocli..", "tools.jackson.."));
    }

    private static ArchRule onlyKnows(String module) {
        return noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.carillon..")
                                .and(not(resideInAnyPackage(module, SIP))));
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
