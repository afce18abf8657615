package io.carillon.fuzz;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rooms of this module. */
class PackagesTest {
    private static JavaClasses ours;

    @BeforeAll
    static void importClasses() {
        ours = new ClassFileImporter().importPath(Path.of("target/classes"));
    }

    /** A target in the package of what it tries would see more of it than others do. */
    @Test
    void everyClassLiesInPackagesOfThisModule() {
        classes().should().resideInAPackage("io.carillon.fuzz..").check(ours);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.carillon.(fuzz..)").should().beFreeOfCycles().check(ours);
    }
}
