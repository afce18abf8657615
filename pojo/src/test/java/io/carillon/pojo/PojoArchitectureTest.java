package io.carillon.pojo;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** The model knows the SIP Servlet API alone; the frameworks do not know each other. */
class PojoArchitectureTest {
    private static final JavaClasses POJO =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.carillon.pojo");

    private static final String[] MODEL = {
        "io.carillon.pojo", "io.carillon.pojo.current", "io.carillon.pojo.engine"
    };

    /** Annotations stand between what is current, which knows none, and the engine. */
    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(POJO);
    }

    private record EachPackage() implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("io.carillon.pojo")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    @Test
    void theModelNeedsNeitherContainerNorFramework() {
        classes()
                .that()
                .resideInAnyPackage(MODEL)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "javax.servlet..", "org.jspecify..")
                                .or(resideInAnyPackage(MODEL)))
                .check(POJO);
    }

    @Test
    void springAndCdiDoNotSeeEachOther() {
        noClasses()
                .that()
                .resideInAPackage("io.carillon.pojo.spring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "io.carillon.pojo.cdi")
                .check(POJO);
        noClasses()
                .that()
                .resideInAPackage("io.carillon.pojo.cdi")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "io.carillon.pojo.spring")
                .check(POJO);
    }
}
