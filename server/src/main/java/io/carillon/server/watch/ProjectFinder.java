package io.carillon.server.watch;

import io.carillon.servlet.app.ApplicationName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds out what a folder is. Stateless. */
final class ProjectFinder {
    private static final int DEPTH = 40;

    private ProjectFinder() {}

    /**
     * Looks at a folder.
     *
     * @param compile false: somebody else compiles, only classes are taken
     */
    static Project of(Path named, boolean compile) throws IOException {
        Path folder = named.toAbsolutePath().normalize();
        if (!Files.isDirectory(folder)) {
            throw new WatchException(named + ": there is no such folder");
        }
        if (Files.isRegularFile(folder.resolve("pom.xml"))) {
            return maven(folder, compile);
        }
        boolean web = Files.isDirectory(folder.resolve("WEB-INF"));
        if (!web && (isFile(folder, "build.gradle") || isFile(folder, "build.gradle.kts"))) {
            throw new WatchException(
                    named
                            + ": a Gradle project. Let `gradle -t classes` compile, and watch what it"
                            + " makes: carillon watch "
                            + named.resolve("build/classes/java/main"));
        }
        return plain(folder, web, compile);
    }

    private static Project maven(Path folder, boolean compile) throws IOException {
        Pom pom = Pom.read(folder.resolve("pom.xml"));
        if (pom.packaging().equals("pom")) {
            throw new WatchException(
                    folder
                            + ": its packaging is pom: name the folder of the module that is deployed");
        }
        if (pom.uses("spring-boot-maven-plugin")) {
            throw new WatchException(
                    folder
                            + ": a Spring Boot application is a program of its own and no archive;"
                            + " Spring Boot's devtools start it again on changes");
        }
        Path main = folder.resolve("src/main");
        String own = pom.sourceFolder();
        List<Path> sources = new ArrayList<>();
        if (compile) {
            sources.add(own == null ? main.resolve("java") : folder.resolve(own));
            sources.addAll(folders(folder.resolve("target/generated-sources")));
        }
        Path web = main.resolve("webapp");
        return new Project(
                name(pom.finalName()),
                folder,
                sources.stream().filter(Files::isDirectory).toList(),
                existing(main.resolve("resources")),
                compile ? List.of() : List.of(folder.resolve("target/classes")),
                Files.isDirectory(web) ? web : null,
                null,
                pom);
    }

    /** No project of a build tool: by what is in it. */
    private static Project plain(Path folder, boolean web, boolean compile) throws IOException {
        boolean java = compile && has(folder, ".java");
        boolean classes = !web && has(folder, ".class");
        if (!web && !java && !classes) {
            throw new WatchException(
                    folder
                            + ": it has no pom.xml, no WEB-INF, and no .java or .class file: name the"
                            + " folder of a Maven project, of an unpacked archive, of sources or of classes");
        }
        Path libraries = folder.resolve("lib");
        return new Project(
                name(String.valueOf(folder.getFileName())),
                folder,
                java ? List.of(folder) : List.of(),
                web ? List.of() : List.of(folder),
                classes && !java ? List.of(folder) : List.of(),
                web ? folder : null,
                !web && Files.isDirectory(libraries) ? libraries : null,
                null);
    }

    private static String name(String wanted) {
        String name = wanted.replaceAll("[^\\p{L}\\p{N}._+@-]", "-");
        return ApplicationName.fault(name) == null ? name : "application";
    }

    private static List<Path> existing(Path folder) {
        return Files.isDirectory(folder) ? List.of(folder) : List.of();
    }

    private static List<Path> folders(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static boolean isFile(Path folder, String name) {
        return Files.isRegularFile(folder.resolve(name));
    }

    private static boolean has(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder, DEPTH)) {
            return all.anyMatch(path -> path.toString().endsWith(end));
        }
    }
}
