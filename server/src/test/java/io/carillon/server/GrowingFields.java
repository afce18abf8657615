package io.carillon.server;

import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Finds the fields of our sources that may grow: collections, maps, queues, pools of threads,
 * thread locals, arrays that are not final, and fields that lead from an object to another of its
 * class, which make chains. Left out are
 *
 * <ul>
 *   <li>records, enums, interfaces and classes named Builder: values, or gone when they are built;
 *   <li>constants: static final fields that are not made by {@code new};
 *   <li>final fields that are not made here but handed in, or copied and never changed;
 *   <li>EnumMap and EnumSet, which an enum bounds; final arrays, whose size is fixed.
 * </ul>
 */
final class GrowingFields {
    private static final Pattern GROWS =
            Pattern.compile(
                    "(.*(Map|List|Set|Queue|Deque|Collection|Cache)|ExecutorService|ThreadLocal"
                            + "|ScheduledExecutorService|(Scheduled)?ThreadPoolExecutor)");
    private static final Pattern BOUNDED = Pattern.compile("Enum(Map|Set)|BitSet|.*DataSet");
    private static final Pattern MAKES =
            Pattern.compile("new.*|synchronized.*|withInitial|concurrent.*");

    private final Set<String> found = new TreeSet<>();

    private GrowingFields() {}

    /** Of these folders of sources: {@code io.carillon.net.Network.shards}. */
    static Set<String> in(List<Path> folders) throws IOException {
        List<Path> sources = new java.util.ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        GrowingFields all = new GrowingFields();
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
            for (CompilationUnitTree unit : task.parse()) {
                for (Tree type : unit.getTypeDecls()) {
                    if (type instanceof ClassTree known) {
                        all.look(known, unit.getPackageName() + ".");
                    }
                }
            }
        }
        return all.found;
    }

    private void look(ClassTree type, String prefix) {
        String name = type.getSimpleName().toString();
        boolean looked = type.getKind() == Tree.Kind.CLASS && !name.endsWith("Builder");
        Set<String> made = looked ? madeIn(type) : Set.of();
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree inner) {
                look(inner, prefix + name + ".");
            } else if (looked
                    && member instanceof VariableTree field
                    && (grows(field, made) || links(field, name))) {
                found.add(prefix + name + "." + field.getName());
            }
        }
    }

    private static boolean grows(VariableTree field, Set<String> made) {
        Set<Modifier> flags = field.getModifiers().getFlags();
        boolean isFinal = flags.contains(Modifier.FINAL);
        if (array(field.getType())) {
            return !isFinal;
        }
        String type = simpleName(field.getType());
        if (!GROWS.matcher(type).matches() || BOUNDED.matcher(type).matches()) {
            return false;
        }
        ExpressionTree first = field.getInitializer();
        return !isFinal
                || (first != null && makes(first))
                || made.contains(field.getName().toString());
    }

    /** One that leads to another of its class: a chain. */
    private static boolean links(VariableTree field, String type) {
        return !field.getModifiers().getFlags().contains(Modifier.STATIC)
                && simpleName(field.getType()).equals(type);
    }

    private static boolean array(Tree type) {
        return type instanceof ArrayTypeTree
                || (type instanceof com.sun.source.tree.AnnotatedTypeTree annotated
                        && array(annotated.getUnderlyingType()));
    }

    /** {@code Map} of {@code java.util.Map<String, @Nullable List<X>>}. */
    private static String simpleName(Tree type) {
        String text = type.toString().replaceAll("<.*", "").replaceAll("@\\w+(\\(.*?\\))? ?", "");
        return text.substring(text.lastIndexOf('.') + 1).trim();
    }

    private static boolean makes(ExpressionTree value) {
        if (value instanceof MethodInvocationTree call) {
            ExpressionTree method = call.getMethodSelect();
            String name =
                    method instanceof MemberSelectTree select
                            ? select.getIdentifier().toString()
                            : method.toString();
            return MAKES.matcher(name).matches();
        }
        return value instanceof NewClassTree || value instanceof NewArrayTree;
    }

    /** Fields that are assigned something new somewhere in the class. */
    private static Set<String> madeIn(ClassTree type) {
        Set<String> made = new HashSet<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitAssignment(AssignmentTree assignment, Void nothing) {
                if (makes(assignment.getExpression())) {
                    switch (assignment.getVariable()) {
                        case IdentifierTree name -> made.add(name.getName().toString());
                        case MemberSelectTree own -> made.add(own.getIdentifier().toString());
                        default -> {}
                    }
                }
                return super.visitAssignment(assignment, nothing);
            }
        }.scan(type, null);
        return made;
    }
}
