package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.check.Unsupported;
import io.carillon.servlet.feature.http.ConvergedSession;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.sip.SipServletMessage;
import org.junit.jupiter.api.Test;

/**
 * Holds the list of missing API members, the code and docs/reference/sip-servlet-api.md together.
 */
class ApiTableTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "reference/sip-servlet-api.md");

    /** Interfaces that the container, not the application or the router, has to implement. */
    private static final Set<String> IMPLEMENTED_BY_CONTAINER =
            Set.of(
                    "Address",
                    "AuthInfo",
                    "B2buaHelper",
                    "ConvergedHttpSession",
                    "Parameterable",
                    "Proxy",
                    "ProxyBranch",
                    "ServletTimer",
                    "SipApplicationSession",
                    "SipFactory",
                    "SipServletRequest",
                    "SipServletResponse",
                    "SipSession",
                    "SipSessionsUtil",
                    "SipURI",
                    "TelURL",
                    "TimerService",
                    "URI");

    @Test
    void listedMembersExistInTheApi() throws Exception {
        Set<String> known = new TreeSet<>();
        for (Class<?> type : apiTypes()) {
            known.add(type.getSimpleName());
            for (Method method : type.getMethods()) {
                known.add(memberName(type, method));
            }
        }
        assertThat(known).containsAll(Unsupported.list().keySet());
    }

    @Test
    void listedMembersAreTheOnesThatThrow() throws Exception {
        Set<String> listed =
                Unsupported.list().keySet().stream()
                        .filter(name -> name.indexOf('(') > 0)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(thrownByCode())
                .as("Unsupported.member(...) in the code against %s", Unsupported.LIST)
                .isEqualTo(listed);
    }

    @Test
    void apiClassesSayNoOnlyByTheList() throws Exception {
        List<String> own = new ArrayList<>();
        for (Path file : classFiles()) {
            ClassModel model = parse(file);
            if (implementsApi(model) && throwsByItself(model)) {
                own.add(model.thisClass().asInternalName());
            }
        }
        assertThat(own).as("UnsupportedOperationException past Unsupported.member").isEmpty();
    }

    private static boolean implementsApi(ClassModel model) throws Exception {
        String name = model.thisClass().asInternalName().replace('/', '.');
        Set<String> faces = new TreeSet<>();
        addInterfaces(Class.forName(name, false, Unsupported.class.getClassLoader()), faces);
        faces.retainAll(IMPLEMENTED_BY_CONTAINER);
        return !faces.isEmpty();
    }

    private static boolean throwsByItself(ClassModel model) {
        for (MethodModel method : model.methods()) {
            if (method.code().isPresent()) {
                for (CodeElement element : method.code().orElseThrow()) {
                    if (element instanceof NewObjectInstruction made
                            && made.className()
                                    .asInternalName()
                                    .equals("java/lang/UnsupportedOperationException")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void interfacesOfTheContainerAreImplementedOrListed() throws Exception {
        Set<String> implemented = new TreeSet<>();
        for (Class<?> type : ownClasses()) {
            // An HTTP server completes ConvergedSession with what every HttpSession has.
            if (!type.isInterface()
                    && (!Modifier.isAbstract(type.getModifiers())
                            || type == ConvergedSession.class)) {
                addInterfaces(type, implemented);
            }
        }
        Set<String> stale = new TreeSet<>(Unsupported.list().keySet());
        stale.retainAll(implemented);
        assertThat(stale).as("listed as missing although implemented").isEmpty();
        Set<String> missing = new TreeSet<>(IMPLEMENTED_BY_CONTAINER);
        missing.removeAll(implemented);
        missing.removeAll(Unsupported.list().keySet());
        assertThat(missing).as("API interfaces nobody implements and nobody lists").isEmpty();
    }

    @Test
    void documentIsCurrent() throws Exception {
        String document = render();
        if ("write".equals(System.getProperty("carillon.docs"))) {
            Files.createDirectories(DOCUMENT.getParent());
            Files.writeString(DOCUMENT, document);
        }
        assertThat(Files.exists(DOCUMENT))
                .as("docs/reference/sip-servlet-api.md; write it with -Dcarillon.docs=write")
                .isTrue();
        assertThat(Files.readString(DOCUMENT))
                .as(
                        "docs/reference/sip-servlet-api.md is stale; write it with -Dcarillon.docs=write")
                .isEqualTo(document);
    }

    private static String render() throws Exception {
        Map<String, String> missing = Unsupported.list();
        StringBuilder out = new StringBuilder();
        out.append("# SIP Servlet API: what is there and what is not\n\n");
        out.append("Made by `ApiTableTest` from the API artifact and `").append(Unsupported.LIST);
        out.append("`; do not edit. A missing member throws `UnsupportedOperationException`.\n");
        out.append(
                "Members declared by an API type itself are counted; those it inherits stand at their own type.\n\n");
        out.append("| Type | Package | Members | Missing |\n| --- | --- | ---: | --- |\n");
        int total = 0;
        int absent = 0;
        for (Class<?> type : apiTypes()) {
            Set<String> members = new TreeSet<>();
            for (Method method : type.getDeclaredMethods()) {
                if (!Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic()) {
                    members.add(memberName(type, method));
                }
            }
            String gone;
            if (missing.containsKey(type.getSimpleName())) {
                gone = "all";
                absent += members.size();
            } else {
                List<String> names = missing.keySet().stream().filter(members::contains).toList();
                absent += names.size();
                gone = names.isEmpty() ? "" : String.valueOf(names.size());
            }
            total += members.size();
            out.append("| `")
                    .append(
                            type.getName()
                                    .substring(type.getPackageName().length() + 1)
                                    .replace('$', '.'));
            out.append("` | `").append(type.getPackageName()).append("` | ").append(members.size());
            out.append(" | ").append(gone).append(" |\n");
        }
        out.append("\n")
                .append(total - absent)
                .append(" of ")
                .append(total)
                .append(" methods are there.\n\n");
        out.append("## Missing\n\n");
        if (missing.isEmpty()) {
            out.append("Nothing.\n");
        } else {
            out.append("| Member | Reason |\n| --- | --- |\n");
            new TreeMap<>(missing)
                    .forEach((name, reason) ->
                            out.append("| `")
                                    .append(name)
                                    .append("` | ")
                                    .append(reason)
                                    .append(" |\n"));
        }
        return out.toString();
    }

    private static String memberName(Class<?> type, Method method) {
        StringBuilder name = new StringBuilder();
        name.append(type.getSimpleName()).append('.').append(method.getName()).append('(');
        for (int i = 0; i < method.getParameterCount(); i++) {
            name.append(i > 0 ? ", " : "").append(method.getParameterTypes()[i].getSimpleName());
        }
        return name.append(')').toString();
    }

    private static List<Class<?>> apiTypes() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        URI jar =
                SipServletMessage.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        try (JarFile file = new JarFile(Path.of(jar).toFile())) {
            List<String> names =
                    file.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.endsWith(".class"))
                            .sorted()
                            .toList();
            for (String name : names) {
                String className = name.substring(0, name.length() - 6).replace('/', '.');
                types.add(
                        Class.forName(className, false, SipServletMessage.class.getClassLoader()));
            }
        }
        return types;
    }

    private static void addInterfaces(Class<?> type, Set<String> names) {
        for (Class<?> face : type.getInterfaces()) {
            names.add(face.getSimpleName());
            addInterfaces(face, names);
        }
        if (type.getSuperclass() != null) {
            addInterfaces(type.getSuperclass(), names);
        }
    }

    private static Path classesFolder() throws Exception {
        return Path.of(
                Unsupported.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<Path> classFiles() throws Exception {
        try (Stream<Path> files = Files.walk(classesFolder())) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    private static List<Class<?>> ownClasses() throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        for (Path file : classFiles()) {
            String path = classesFolder().relativize(file).toString();
            String name = path.substring(0, path.length() - 6).replace('/', '.').replace('\\', '.');
            classes.add(Class.forName(name, false, Unsupported.class.getClassLoader()));
        }
        return classes;
    }

    /** Every literal that the compiled classes hand to {@link Unsupported#member}. */
    private static Set<String> thrownByCode() throws Exception {
        Set<String> members = new TreeSet<>();
        for (Path file : classFiles()) {
            ClassModel model = parse(file);
            for (MethodModel method : model.methods()) {
                if (method.code().isPresent()) {
                    addThrown(file, method, members);
                }
            }
        }
        return members;
    }

    private static ClassModel parse(Path file) throws IOException {
        return ClassFile.of().parse(file);
    }

    private static void addThrown(Path file, MethodModel method, Set<String> members) {
        Object constant = null;
        for (CodeElement element : method.code().orElseThrow()) {
            if (element instanceof ConstantInstruction load) {
                constant = load.constantValue();
            } else if (element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals("io/carillon/servlet/Unsupported")
                    && call.name().equalsString("member")) {
                assertThat(constant).as("literal argument in %s", file).isInstanceOf(String.class);
                members.add((String) constant);
            }
        }
    }
}
