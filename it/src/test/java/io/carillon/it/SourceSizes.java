package io.carillon.it;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Measures the main sources of all modules: lines of files and methods, fields of classes,
 * parameters of methods. What a figure counts:
 *
 * <ul>
 *   <li>a file: all of its lines;
 *   <li>a method, constructor or initializer: from its first annotation or word to its last brace;
 *   <li>a class: its fields that are not static, with those of super-classes of ours; not records,
 *       nor builders, nor classes without a name;
 *   <li>parameters: as written; not those of a record's constructors, nor of anything in a builder.
 * </ul>
 */
final class SourceSizes {
    /** What has a limit, by its word in the list of exceptions. */
    enum Kind {
        FILE(500),
        METHOD(60),
        FIELDS(15),
        PARAMETERS(7);

        final int limit;

        Kind(int limit) {
            this.limit = limit;
        }

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** What was measured: {@code method io.carillon.net.Network.open(Config)}. */
    record Item(Kind kind, String name) implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : name.compareTo(other.name);
        }

        @Override
        public String toString() {
            return kind.word() + " " + name;
        }
    }

    /** A class: its own fields, and what it calls its super-class. */
    private record Type(String name, int fields, String parent, Names names, boolean counted) {}

    /** What a simple name may mean in a file. */
    private record Names(String packageName, Map<String, String> imports, List<String> stars) {}

    /** Those of an interface are constants, those of a record its components. */
    private static final Set<Tree.Kind> HAVE_FIELDS = Set.of(Tree.Kind.CLASS, Tree.Kind.ENUM);

    private static final Set<String> LEFT_OUT = Set.of("target", "node_modules");

    private final SortedMap<Item, Integer> sizes = new TreeMap<>();
    private final Map<String, Type> types = new HashMap<>();

    private SourceSizes() {}

    /** All figures of the project that lies there. */
    static SortedMap<Item, Integer> of(Path root) throws IOException {
        SourceSizes all = new SourceSizes();
        List<Path> sources = mainSources(root);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    problem -> {},
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = root.toRealPath().relativize(Path.of(unit.getSourceFile().toUri()));
                all.look(unit, file.toString().replace('\\', '/'), positions);
            }
        }
        all.countFields();
        return all.sizes;
    }

    private static List<Path> mainSources(Path root) throws IOException {
        Path main = Path.of("src", "main", "java");
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(
                root.toRealPath(),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
                        String name = folder.getFileName().toString();
                        boolean other = folder.endsWith(Path.of("src", "test"));
                        return other || LEFT_OUT.contains(name) || name.startsWith(".")
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                        String path = file.toString();
                        if (path.endsWith(".java") && path.contains(main.toString())) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }

    private void look(CompilationUnitTree unit, String file, SourcePositions positions)
            throws IOException {
        String text = unit.getSourceFile().getCharContent(true).toString();
        sizes.put(new Item(Kind.FILE, file), (int) text.lines().count());
        new Look(unit, positions).scan(unit, null);
    }

    /** Goes through one file. */
    private final class Look extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Names names;

        /** The classes that we are in, the innermost first. */
        private final Deque<ClassTree> in = new ArrayDeque<>();

        private final Deque<String> path = new ArrayDeque<>();

        Look(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
            String packageName = String.valueOf(unit.getPackageName());
            Map<String, String> imports = new HashMap<>();
            List<String> stars = new ArrayList<>();
            for (ImportTree one : unit.getImports()) {
                String name = one.getQualifiedIdentifier().toString();
                int dot = name.lastIndexOf('.');
                if (name.endsWith(".*")) {
                    stars.add(name.substring(0, dot));
                } else {
                    imports.put(name.substring(dot + 1), name);
                }
            }
            names = new Names(packageName, imports, stars);
            path.push(packageName);
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            String simple = type.getSimpleName().toString();
            String name = path.peek() + "." + (simple.isEmpty() ? "(anonymous)" : simple);
            in.push(type);
            path.push(name);
            if (!simple.isEmpty()) {
                boolean counted = HAVE_FIELDS.contains(type.getKind()) && !isBuilder(type);
                String parent =
                        type.getExtendsClause() == null ? "" : plain(type.getExtendsClause());
                types.put(name, new Type(name, fields(type), parent, names, counted));
            }
            super.visitClass(type, nothing);
            path.pop();
            in.pop();
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            String name = method.getName().toString();
            String parameters =
                    method.getParameters().stream()
                            .map(parameter -> simple(plain(parameter.getType())))
                            .collect(Collectors.joining(","));
            String full = path.peek() + "." + name + "(" + parameters + ")";
            measured(Kind.METHOD, full, lines(method));
            ClassTree owner = in.element();
            boolean free =
                    isBuilder(owner)
                            || (owner.getKind() == Tree.Kind.RECORD && name.equals("<init>"));
            if (!free) {
                measured(Kind.PARAMETERS, full, method.getParameters().size());
            }
            return super.visitMethod(method, nothing);
        }

        @Override
        public Void visitBlock(BlockTree block, Void nothing) {
            if (!in.isEmpty() && in.element().getMembers().contains(block)) {
                measured(Kind.METHOD, path.peek() + ".{}", lines(block));
            }
            return super.visitBlock(block, nothing);
        }

        private int lines(Tree tree) {
            var map = unit.getLineMap();
            long from = map.getLineNumber(positions.getStartPosition(unit, tree));
            long to = map.getLineNumber(positions.getEndPosition(unit, tree));
            return (int) (to - from + 1);
        }
    }

    /** Of two with the same name, as in two classes without one, the larger counts. */
    private void measured(Kind kind, String name, int size) {
        sizes.merge(new Item(kind, name), size, Math::max);
    }

    private static boolean isBuilder(ClassTree type) {
        return type.getSimpleName().toString().endsWith("Builder");
    }

    private static int fields(ClassTree type) {
        return (int)
                type.getMembers().stream()
                        .filter(member ->
                                member instanceof VariableTree field
                                        && !field.getModifiers()
                                                .getFlags()
                                                .contains(Modifier.STATIC))
                        .count();
    }

    /** {@code Map.Entry} of {@code java.util.Map.@Nullable Entry<A, B>}: no arguments, no notes. */
    private static String plain(Tree type) {
        return type.toString()
                .replaceAll("@[\\w.]+(\\([^)]*\\))? ?", "")
                .replaceAll("<.*>", "")
                .replace(" ", "");
    }

    private static String simple(String type) {
        String name = type.endsWith("...") ? type.substring(0, type.length() - 3) : type;
        return type.substring(name.lastIndexOf('.') + 1);
    }

    private void countFields() {
        for (Type type : types.values()) {
            if (type.counted()) {
                int all = 0;
                for (Type each = type; each != null; each = parent(each)) {
                    all += each.fields();
                }
                measured(Kind.FIELDS, type.name(), all);
            }
        }
    }

    /** The super-class when it is one of ours: what its name means where it stands. */
    private @Nullable Type parent(Type type) {
        String name = type.parent();
        if (name.isEmpty()) {
            return null;
        }
        Names names = type.names();
        String around = type.name();
        while (!around.equals(names.packageName())) {
            if (types.containsKey(around + "." + name)) {
                return types.get(around + "." + name);
            }
            around = around.substring(0, around.lastIndexOf('.'));
        }
        int dot = name.indexOf('.');
        String first = dot < 0 ? name : name.substring(0, dot);
        String imported = names.imports().get(first);
        if (imported != null) {
            return types.get(imported + name.substring(first.length()));
        }
        if (types.containsKey(names.packageName() + "." + name)) {
            return types.get(names.packageName() + "." + name);
        }
        for (String star : names.stars()) {
            if (types.containsKey(star + "." + name)) {
                return types.get(star + "." + name);
            }
        }
        return types.get(name);
    }
}
