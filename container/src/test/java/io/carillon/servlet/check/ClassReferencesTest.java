package io.carillon.servlet.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.junit.jupiter.api.Test;

/** What of a class file's constant pool counts as a reference. */
class ClassReferencesTest {
    private static final ClassDesc GONE = ClassDesc.of("javax.gone.Type");
    private static final ClassDesc MADE = ClassDesc.of("javax.gone.Made");
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

    /** A class with a method that does that, and entries that nothing uses. */
    private static ClassReferences references(boolean calls) {
        return ClassReferences.of(
                ClassFile.of()
                        .build(
                                ClassDesc.of("x.Own"),
                                made -> {
                                    made.constantPool()
                                            .classEntry(ClassDesc.of("javax.left.Behind"));
                                    made.constantPool()
                                            .methodRefEntry(
                                                    ClassDesc.of("javax.left.Over"),
                                                    "run",
                                                    NOTHING);
                                    made.withMethodBody(
                                            "run",
                                            NOTHING,
                                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                            code -> {
                                                if (calls) {
                                                    code.invokestatic(GONE, "go", NOTHING);
                                                    code.new_(MADE).pop();
                                                }
                                                code.return_();
                                            });
                                }));
    }

    /**
     * Java Virtual Machine Specification 5.4.3: an entry is resolved when an instruction needs it.
     */
    @Test
    void anEntryThatNothingUsesIsNoReference() {
        ClassReferences unused = references(false);
        assertThat(unused.classes()).containsExactly("java.lang.Object");
        assertThat(unused.members()).isEmpty();
        ClassReferences used = references(true);
        assertThat(used.classes())
                .containsExactlyInAnyOrder(
                        "java.lang.Object", "javax.gone.Type", "javax.gone.Made");
        assertThat(used.members())
                .containsExactly(new ClassReferences.Member("javax.gone.Type", "go", "()V", false));
    }

    private interface Kind {}

    /** One of each way in which code uses a class. */
    private static final class Using extends Base implements Kind {
        Object all(Object given) throws IOException {
            try {
                Number[] numbers = new Number[1];
                StringBuilder[][] builders = new StringBuilder[1][1];
                Runnable later = Thread::yield;
                return given instanceof Character || given instanceof Using
                        ? Long.class
                        : numbers.length
                                + builders.length
                                + later.hashCode()
                                + Integer.MAX_VALUE
                                + System.out.hashCode();
            } catch (ArithmeticException e) {
                return new Object();
            }
        }
    }

    private static class Base {}

    @Test
    void whatCodeUsesIsOne() throws IOException {
        try (var in =
                ClassReferencesTest.class.getResourceAsStream("ClassReferencesTest$Using.class")) {
            assertThat(ClassReferences.of(in.readAllBytes()).classes())
                    .doesNotContain(Using.class.getName())
                    .contains(
                            Kind.class.getName(),
                            Base.class.getName(),
                            "java.io.IOException",
                            "java.lang.Number",
                            "java.lang.StringBuilder",
                            "java.lang.Thread",
                            "java.lang.Character",
                            "java.lang.Long",
                            "java.lang.System",
                            "java.lang.ArithmeticException");
        }
    }
}
