package io.carillon.servlet.members;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes in the folder that a class was compiled to. */
final class ClassFolder {
    private ClassFolder() {}

    static List<Class<?>> beside(Class<?> one) throws Exception {
        Path folder = folder(one);
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = folder.relativize(file).toString();
                if (name.endsWith(".class") && !name.endsWith("-info.class")) {
                    String type = name.substring(0, name.length() - 6);
                    classes.add(
                            Class.forName(
                                    type.replace('/', '.').replace('\\', '.'),
                                    false,
                                    one.getClassLoader()));
                }
            }
        }
        return classes;
    }

    private static Path folder(Class<?> one) throws URISyntaxException {
        return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
