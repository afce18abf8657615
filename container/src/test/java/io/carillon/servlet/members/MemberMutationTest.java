package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A command, not a test of the build: -Dcarillon.members=all or part of a member's name. */
@EnabledIfSystemProperty(named = "carillon.members", matches = ".+")
class MemberMutationTest {
    @TempDir Path folder;

    @Test
    void the_tests_of_each_member_fail_when_it_changes() throws Exception {
        String part = System.getProperty("carillon.members", "all");
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-XX:TieredStopAtLevel=1",
                                "-javaagent:" + agent(),
                                "-cp",
                                classPath(),
                                MemberMutations.class.getName(),
                                part.equals("all") ? "" : part)
                        .redirectErrorStream(true)
                        .start();
        // Line by line through our own output: Surefire talks to Maven over the native one.
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(System.out::println);
        }
        assertThat(process.waitFor()).as("survivors, see the output").isZero();
    }

    private static String classPath() {
        String surefire = System.getProperty("surefire.test.class.path", "");
        return surefire.isEmpty() ? System.getProperty("java.class.path", "") : surefire;
    }

    private Path agent() throws Exception {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(new Attributes.Name("Premain-Class"), MutationAgent.class.getName());
        main.put(new Attributes.Name("Can-Redefine-Classes"), "true");
        Path jar = folder.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }
}
