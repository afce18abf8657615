package io.carillon.pojo;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The model knows the SIP Servlet API alone; the frameworks do not know each other. */
class PojoArchitectureTest {
    private static final JavaClasses POJO =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.carillon.pojo");

    @Test
    void theModelNeedsNeitherContainerNorFramework() {
        classes()
                .that()
                .resideInAnyPackage("io.carillon.pojo", "io.carillon.pojo.engine")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                "java..",
                                "javax.servlet..",
                                "org.jspecify..",
                                "io.carillon.pojo",
                                "io.carillon.pojo.engine"))
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
